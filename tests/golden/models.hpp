// The models of ../shared that the engine must agree about.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "support/json.hpp"
#include "support/load.hpp"

namespace heed::golden {

/// Of ../shared: architectures up to 2024, those of 2025 and 2026, and others of both.
inline constexpr const char* kSets[] = {"oracle", "oracle26", "oracle27", "oracle27r"};

struct Case {
  std::string name;  // of the model
  std::string set;
  std::string group;  // of the set's index: "models" or "quant"

  std::string folder() const { return set + "/" + group + "/"; }  // with the model
  std::string results() const { return set + (group == "quant" ? "/quant/" : "/ref/"); }
};

inline nlohmann::json index_of(const std::string& set) { return test::read_json(test::shared_file(set + "/index.json")); }
inline nlohmann::json figures(const Case& model) { return index_of(model.set)[model.group][model.name]; }

/// Every model of a kind, as the sets' indices have them: "causal" decoders, "embed" encoders, "t5" both.
inline std::vector<Case> cases_of(std::string_view kind) {
  std::vector<Case> all;
  for (const char* set : kSets) {
    const auto index = index_of(set);
    for (const auto& [name, figures] : index["models"].items())
      if (figures["kind"] == kind) all.push_back({name, set, "models"});
  }
  return all;
}

/// The decoders, and those in every weight type.
inline std::vector<Case> cases() {
  std::vector<Case> all = cases_of("causal");
  for (const char* set : kSets) {
    const auto index = index_of(set);
    if (!index.contains("quant")) continue;
    for (const auto& [name, figures] : index["quant"].items()) all.push_back({name, set, "quant"});
  }
  return all;
}

inline nlohmann::json reference(const Case& model) {
  return test::read_json(test::shared_file(model.results() + model.name + ".json"));
}

/// As the reference was made: with keys and values in f32, and room for as many positions.
inline std::unique_ptr<runtime::Model> load(const Case& model, runtime::LoadOptions options = {}) {
  if (!options.kv_cache) options.kv_cache = KvType::f32;
  if (!options.context_length) options.context_length = reference(model)["n_ctx"].get<std::size_t>();
  return test::load_bytes(test::read_bytes(test::shared_file(model.folder() + model.name + ".gguf")), std::move(options));
}

inline std::vector<float> reference_floats(const Case& model, const std::string& kind) {
  return test::read_floats(test::shared_file(model.results() + model.name + kind));
}

}  // namespace heed::golden

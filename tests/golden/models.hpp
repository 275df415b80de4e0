// The models of ../shared that the engine must agree about.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "support/json.hpp"
#include "support/load.hpp"

namespace heed::golden {

struct Case {
  std::string name;     // of the model
  std::string folder;   // with the model
  std::string results;  // folder with the reference
};

/// The weight types of the oracle that Heed has.
inline constexpr const char* kQuantisedModels[] = {
    "qbase-Q8_0",   "qbase-Q4_0",   "qbase-Q4_1",     "qbase-Q5_0", "qbase-Q5_1",   "qbase-Q2_K",
    "qbase-Q3_K_M", "qbase-Q4_K_M", "qbase-Q5_K_M",   "qbase-Q6_K", "qbase-IQ4_NL", "qbase-IQ4_XS",
    "qbase-TQ1_0",  "qbase-TQ2_0",  "qmoe-MXFP4_MOE", "qmoe-Q4_K_M"};

/// Every model of a kind, as the oracle's index has them: "causal" decoders, "embed" encoders, "t5" both.
inline std::vector<Case> cases_of(std::string_view kind) {
  std::vector<Case> all;
  const auto index = test::read_json(test::shared_file("oracle/index.json"));
  for (const auto& [name, figures] : index["models"].items())
    if (figures["kind"] == kind) all.push_back({name, "oracle/models/", "oracle/ref/"});
  return all;
}

/// The decoders, and those in other weight types.
inline std::vector<Case> cases() {
  std::vector<Case> all = cases_of("causal");
  for (const char* name : kQuantisedModels) all.push_back({name, "oracle/quant/", "oracle/quant/"});
  return all;
}

inline nlohmann::json reference(const Case& model) {
  return test::read_json(test::shared_file(model.results + model.name + ".json"));
}

/// As the reference was made: with keys and values in f32, and room for as many positions.
inline std::unique_ptr<runtime::Model> load(const Case& model, runtime::LoadOptions options = {}) {
  if (!options.kv_cache) options.kv_cache = KvType::f32;
  if (!options.context) options.context = reference(model)["n_ctx"].get<std::size_t>();
  return test::load_bytes(test::read_bytes(test::shared_file(model.folder + model.name + ".gguf")),
                          std::move(options));
}

inline std::vector<float> reference_floats(const Case& model, const std::string& kind) {
  return test::read_floats(test::shared_file(model.results + model.name + kind));
}

}  // namespace heed::golden

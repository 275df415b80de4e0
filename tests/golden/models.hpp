// The models of ../shared that the engine must agree about.
#pragma once

#include <memory>
#include <string>

#include "support/json.hpp"
#include "support/load.hpp"

namespace heed::golden {

struct Case {
  std::string name;     // of the model
  std::string folder;   // with the model
  std::string results;  // folder with the reference
};

/// Every llama and gpt2 model of the oracle, and the weight types that Heed has.
inline constexpr const char* kFloatModels[] = {"llama-gqa",        "llama-31-tied", "llama-31-untied",
                                               "llama-bf16",       "llama-headdim", "llama-yarn",
                                               "llama-yarn-betas", "gpt2"};
inline constexpr const char* kQuantisedModels[] = {
    "qbase-Q8_0",   "qbase-Q4_0",   "qbase-Q4_1", "qbase-Q5_0",   "qbase-Q5_1",   "qbase-Q2_K",  "qbase-Q3_K_M",
    "qbase-Q4_K_M", "qbase-Q5_K_M", "qbase-Q6_K", "qbase-IQ4_NL", "qbase-IQ4_XS", "qbase-TQ1_0", "qbase-TQ2_0"};

inline std::vector<Case> cases() {
  std::vector<Case> all;
  for (const char* name : kFloatModels) all.push_back({name, "oracle/models/", "oracle/ref/"});
  for (const char* name : kQuantisedModels) all.push_back({name, "oracle/quant/", "oracle/quant/"});
  return all;
}

/// As the reference was made: with keys and values in f32.
inline std::unique_ptr<runtime::Model> load(const Case& model, runtime::LoadOptions options = {}) {
  if (!options.kv_cache) options.kv_cache = KvType::f32;
  return test::load_bytes(test::read_bytes(test::shared_file(model.folder + model.name + ".gguf")),
                          std::move(options));
}

inline nlohmann::json reference(const Case& model) {
  return test::read_json(test::shared_file(model.results + model.name + ".json"));
}

inline std::vector<float> reference_floats(const Case& model, const std::string& kind) {
  return test::read_floats(test::shared_file(model.results + model.name + kind));
}

}  // namespace heed::golden

// The lab's references in ../shared/lab: values of the residual stream, scores, adapters and changes, each for a model in the same
// folder.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/engine.hpp"
#include "support/json.hpp"
#include "support/load.hpp"

namespace heed::golden {

/// One file of a part of the lab ("hidden", "score", "lora", ...), by its name without an extension.
struct LabCase {
  std::string part, name;

  std::filesystem::path file(const std::string& ending) const { return test::shared_file("lab/" + part + "/" + name + ending); }
  nlohmann::json json() const { return test::read_json(file(".json")); }
  /// The reference: float64's figures where there are any, llama.cpp's otherwise.
  std::vector<float> reference(const nlohmann::json& json) const {
    return test::read_floats(file(json.value("exact_file", false) ? ".exact.f32" : ".llama.f32"));
  }
};

/// All of a part, in order; "bad" is another matter.
inline std::vector<LabCase> lab_cases(const std::string& part) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(test::shared_file("lab/" + part)))
    if (entry.path().extension() == ".json" && entry.path().stem() != "bad") names.push_back(entry.path().stem().string());
  std::ranges::sort(names);
  std::vector<LabCase> cases;
  for (const std::string& name : names) cases.push_back({part, name});
  return cases;
}

/// With keys and values in f32, and memory for everything that the lab reads.
inline std::unique_ptr<runtime::Model> lab_model(const nlohmann::json& json) {
  runtime::LoadOptions options;
  options.context_length = 96;
  options.kv_cache = KvType::f32;
  options.threads = 2;
  return test::load_bytes(test::read_bytes(test::shared_file("lab/" + json["base"].get<std::string>())), options);
}

}  // namespace heed::golden

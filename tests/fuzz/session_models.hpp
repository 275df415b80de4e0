// Small models whose sessions are fuzzed: of keys and values, of windows, of states, of several types in the cache.
#pragma once

#include <memory>
#include <vector>

#include "support/load.hpp"
#include "unit/runtime/family_model.hpp"

namespace heed::test {

struct SessionModel {
  std::unique_ptr<runtime::Model> model;
  std::unique_ptr<runtime::Workspace> workspace;
};

inline std::vector<SessionModel> session_models() {
  constexpr std::pair<const char*, KvType> kKinds[] = {{"llama", KvType::f32},    {"gemma3", KvType::int16},
                                                       {"lfm2", KvType::f16},     {"mamba2", KvType::f32},
                                                       {"deepseek2", KvType::q8}, {"qwen3", KvType::q4},
                                                       {"jamba", KvType::int16},  {"kimi-linear", KvType::f16},
                                                       {"rwkv7", KvType::f32},    {"hrm_text", KvType::f32}};
  std::vector<SessionModel> models;
  for (const auto& [architecture, type] : kKinds) {
    runtime::LoadOptions options;
    options.kv_cache = type;
    auto model = load_bytes(family_model(architecture), options);
    auto workspace = std::make_unique<runtime::Workspace>(*model);
    models.push_back({std::move(model), std::move(workspace)});
  }
  return models;
}

}  // namespace heed::test

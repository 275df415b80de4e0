// Models of every family that are as small as its layers allow, because a fuzzer makes many.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "fuzz/use_model.hpp"
#include "unit/models/family_values.hpp"

namespace heed::test {

/// A vocabulary of the letters that use() reads.
inline const Values& small_vocabulary() {
  static const Values values = [] {
    using formats::Metadata;
    const Metadata::Strings tokens = {"<unk>", "<s>", "</s>", "\u2581", "t", "h", "e", "n", "d", "\u2581the", "he", "nd"};
    Metadata::Integers types(tokens.size(), 1);  // normal
    types[0] = 2;                                // unknown
    types[1] = types[2] = 3;                     // control
    Metadata::Floats scores;
    while (scores.size() < tokens.size()) scores.push_back(-static_cast<float>(scores.size()));
    return Values{{"tokenizer.ggml.model", std::string("llama")},
                  {"tokenizer.ggml.tokens", tokens},
                  {"tokenizer.ggml.token_type", types},
                  {"tokenizer.ggml.scores", scores},
                  {"tokenizer.ggml.unknown_token_id", std::int64_t{0}},
                  {"tokenizer.ggml.bos_token_id", std::int64_t{1}},
                  {"tokenizer.ggml.eos_token_id", std::int64_t{2}}};
  }();
  return values;
}

/// Keys without the architecture.
inline const Values& small_sizes() {
  using Integer = std::int64_t;
  static const Values values = {{"embedding_length", Integer{16}},
                                {"context_length", Integer{kSmallContext}},
                                {"feed_forward_length", Integer{8}},
                                {"expert_feed_forward_length", Integer{4}},
                                {"expert_shared_feed_forward_length", Integer{4}},
                                {"attention.key_length", Integer{10}},
                                {"attention.value_length", Integer{4}},
                                {"attention.kv_lora_rank", Integer{8}},
                                {"attention.q_lora_rank", Integer{6}},
                                {"ssm.inner_size", Integer{16}},
                                {"kda.head_dim", Integer{4}}};
  return values;
}

inline Values small_values(const std::string& architecture) {
  Values values = values_of(architecture);
  for (const std::string tower : {"", "text.", "vision."})  // of CLIP
    for (const auto& [key, value] : small_sizes())
      if (const std::string name = architecture + "." + tower + key; values.contains(name)) values[name] = value;
  for (const auto& [key, value] : small_vocabulary()) values[key] = value;
  mix_layers(values, architecture);
  return values;
}

/// `values` without the keys that `read` ignores. Others are found one by one, by the errors that name them once they have a wrong type.
template <class Read>
Values only_read(const Values& values, Read read) {
  using formats::Metadata;
  Values some, spoiled;
  for (const auto& [key, value] : values) {
    const bool is_list = std::holds_alternative<Metadata::Strings>(value);
    if (is_list) some[key] = value;
    spoiled[key] = is_list ? value : Metadata::Strings(1);
  }
  while (true) {
    try {
      read(spoiled);
      return some;
    } catch (const Error& error) {
      const auto named = values.find(error.where());
      if (named == values.end() || !some.insert(*named).second) return values;  // it says something else
      spoiled[named->first] = named->second;
    }
  }
}

}  // namespace heed::test

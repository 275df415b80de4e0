// A family's file with some keys and tensors changed, as a fuzzer's input says: what mutations of a file's bytes rarely reach, because
// most of these are in its vocabulary and its weights.
#pragma once

#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "fuzz/engine_arguments.hpp"
#include "fuzz/small_family.hpp"
#include "unit/runtime/family_model.hpp"

namespace heed::test {

/// Keys that a family reads if they are there.
inline constexpr const char* kOptionalKeys[] = {"attention.causal",
                                                "attention.key_length_mla",
                                                "attention.key_length_swa",
                                                "attention.recurrent_layers",
                                                "attention.rope_pattern",
                                                "attention.scale",
                                                "attention.shared_kv_layers",
                                                "attention.sliding_window_pattern",
                                                "attention.temperature_scale",
                                                "attention.value_expert_count",
                                                "attention.value_expert_used_count",
                                                "attention.value_length_mla",
                                                "attention.value_length_swa",
                                                "embedding_length_per_layer_input",
                                                "embedding_scale",
                                                "expert_group_scale",
                                                "expert_weights_norm",
                                                "expert_weights_scale",
                                                "final_logit_softcapping",
                                                "interleave_moe_layer_step",
                                                "n_deepstack_layers",
                                                "norm_before_fc",
                                                "norm_before_residual",
                                                "pooling_type",
                                                "rescale_every_n_layers",
                                                "residual_scale",
                                                "rope.dimension_count_swa",
                                                "rope.dimension_sections",
                                                "rope.freq_base_swa",
                                                "rope.scale_linear",
                                                "rope.scaling.alpha",
                                                "rope.scaling.attn_factor",
                                                "rope.scaling.factor",
                                                "rope.scaling.finetuned",
                                                "rope.scaling.original_context_length",
                                                "rope.scaling.type",
                                                "rope.scaling.yarn_beta_fast",
                                                "rope.scaling.yarn_beta_slow",
                                                "rope.scaling.yarn_log_multiplier",
                                                "skip_loop_final_norm",
                                                "ssm.dt_b_c_rms",
                                                "swiglu_clamp_exp",
                                                "swiglu_clamp_shexp",
                                                "target_hidden_size",
                                                "target_layers",
                                                "token_shift_count",
                                                "use_parallel_residual"};

/// These and all that any family needs.
inline const std::vector<std::string>& all_keys() {
  static const std::vector<std::string> keys = [] {
    std::set<std::string> found(std::begin(kOptionalKeys), std::end(kOptionalKeys));
    for (const auto& [key, value] : bare_values()) found.insert(key);
    return std::vector<std::string>(found.begin(), found.end());
  }();
  return keys;
}

/// A value of any type, mostly one that a small model may have.
inline formats::Metadata::Value some_value(Input& input) {
  using Integer = std::int64_t;
  constexpr Integer kIntegers[] = {0, -1, 0x7fffffff, 0xffffffff, Integer{1} << 20, std::numeric_limits<Integer>::max()};
  constexpr double kDoubles[] = {
      0, 1, -1, 0.5, 1e-30, 1e30, 1e300, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()};
  constexpr const char* kTexts[] = {"none", "linear", "yarn", "longrope", "llama3", "silu", "gelu", "xielu", ""};
  const auto integer = [&]() -> Integer {
    if (input.rarely()) return input.any<Integer>();
    const std::size_t form = input.below(8);
    return form == 0 ? kIntegers[input.below(std::size(kIntegers))] : static_cast<Integer>(input.below(form < 5 ? 9 : 65));
  };
  switch (input.below(10)) {
    case 0: return input.below(2) == 0;
    case 1: return kDoubles[input.below(std::size(kDoubles))];
    case 2: return static_cast<double>(input.any<float>());
    case 3: return std::string(kTexts[input.below(std::size(kTexts))]);
    case 4: {
      formats::Metadata::Integers values(input.below(6));
      for (Integer& value : values) value = integer();
      return values;
    }
    case 5: {
      formats::Metadata::Floats values(input.below(6));
      for (float& value : values) value = input.rarely() ? input.any<float>() : static_cast<float>(input.below(16)) / 8;
      return values;
    }
    default: return integer();
  }
}

/// Keys to change, and what they become; those without a value are left out.
using KeyChanges = std::map<std::string, std::optional<formats::Metadata::Value>>;

/// Changes of up to three keys of an architecture.
inline KeyChanges some_key_changes(const std::string& architecture, Input& input) {
  KeyChanges changes;
  for (std::size_t count = input.below(4); count > 0; --count) {
    const std::vector<std::string>& keys = all_keys();
    auto& change = changes[architecture + "." + keys[input.below(keys.size())]];
    if (input.below(6) == 0) change.reset();
    else change = some_value(input);
  }
  return changes;
}

inline Values changed(Values values, const KeyChanges& changes) {
  for (const auto& [key, value] : changes)
    if (value) values[key] = *value;
    else values.erase(key);
  return values;
}

/// As metadata_of(changed(values, changes)), but quicker.
inline formats::Metadata metadata_of(const Values& values, const KeyChanges& changes) {
  formats::Metadata metadata;
  for (const auto& [key, value] : values)
    if (!changes.contains(key)) metadata.set(key, value);
  for (const auto& [key, value] : changes)
    if (value) metadata.set(key, *value);
  return metadata;
}

inline FileForm some_file_form(Input& input) {
  const std::uint8_t bits = input.byte(), more = input.byte();
  const auto has = [](std::uint8_t of, int bit) { return (of >> bit & 1) != 0; };
  return {.fused = has(bits, 0),
          .fused_gate = has(bits, 1),
          .tied = !has(bits, 2),
          .dense_scores = !has(bits, 3),
          .conv_bias = !has(bits, 4),
          .state_norm = !has(bits, 5),
          .gates = !has(bits, 6),
          .again_norms = !has(bits, 7),
          .values = !has(more, 0),
          .wide_gates = !has(more, 1)};
}

/// Drops, renames or reshapes up to two tensors.
inline void change_tensors(Tensors& tensors, Input& input) {
  for (std::size_t count = input.below(3); count > 0 && tensors.size() > 1; --count) {
    const auto some = [&] {
      return std::next(tensors.begin(), static_cast<std::ptrdiff_t>(input.any<std::uint16_t>() % tensors.size()));
    };
    const auto chosen = some();
    switch (input.below(5)) {
      case 0: tensors.erase(chosen); break;
      case 1: {
        auto node = tensors.extract(chosen);
        const std::string name = node.key();
        node.key() = name.ends_with(".weight") ? name.substr(0, name.size() - 6) + "bias" : name + ".weight";
        tensors.insert(std::move(node));
        break;
      }
      case 2: std::swap(chosen->second, some()->second); break;
      case 3: std::ranges::reverse(chosen->second.shape); break;
      default: {
        std::vector<std::size_t>& shape = chosen->second.shape;
        if (input.below(2) == 0) shape.insert(shape.begin(), 1);
        else shape[input.below(shape.size())] = input.rarely() ? input.any<std::size_t>() : input.below(70);
      }
    }
  }
}

/// A file of a spec, of so few weights that it is worth the time; empty if it would have more.
inline std::vector<std::byte> changed_file(const nn::ModelSpec& spec, const Values& values, Input& input) {
  constexpr std::size_t kMostWeights = std::size_t{1} << 17;
  try {
    RandomWeights weights(some_file_form(input), 1, kMostWeights);
    return file_of(spec, values, [&](Tensors& tensors) { change_tensors(tensors, input); }, small_vocabulary(), std::move(weights));
  } catch (const std::length_error&) {
    return {};
  }
}

}  // namespace heed::test

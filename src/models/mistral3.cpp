// Ministral 3 and Mistral Small 3 onwards: LLaMA with a YaRN of its own, and queries that grow with their position.
#include "base/deterministic_math.hpp"
#include "models/common.hpp"
#include "models/families.hpp"

namespace heed::models {
namespace {

/// Divides YaRN's magnitude by 1 + 0.1 * log_multiplier * ln(factor), so that it is 1 if log_multiplier is 1.
void divide_magnitude(nn::RopeSpec& rope, float log_multiplier) {
  const double log = deterministic_log(rope.factor);
  rope.magnitude /= static_cast<float>(1.0 + 0.1 * static_cast<double>(log_multiplier) * log);
}

}  // namespace

ModelSpec mistral3(const Hyperparameters& h) {
  ModelSpec spec = llama(h);
  for_each_attention(spec.decoder->stack, [&](nn::AttentionSpec& attention, std::size_t) {
    nn::RopeSpec& rope = *attention.rope;
    if (rope.scaling == nn::RopeScaling::yarn) {
      rope.fast_turns = h.number("rope.scaling.yarn_beta_fast", rope.fast_turns);
      rope.slow_turns = h.number("rope.scaling.yarn_beta_slow", rope.slow_turns);
      divide_magnitude(rope, h.number("rope.scaling.yarn_log_multiplier", 0.0f));
    }
    attention.temperature = h.number("attention.temperature_scale", 0.0f);
    if (attention.temperature != 0)
      attention.temperature_period = h.count("rope.scaling.original_context_length", h.count("context_length"));
  });
  return spec;
}

}  // namespace heed::models

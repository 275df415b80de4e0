// LLaMA with multipliers, as in maximal update parametrization (arXiv:2203.03466): Granite 3 and its mixtures of experts,
// Granite with windows and attention sinks, MiniCPM (arXiv:2404.06395).
#include <cmath>

#include "models/common.hpp"
#include "models/families.hpp"

namespace heed::models {
namespace {

struct Multipliers {
  float embedding = 1, residual = 1;
  float logits = 1;  // divisor of the logits
};

ModelSpec multiplied_llama(const Hyperparameters& h, const Multipliers& where_absent) {
  ModelSpec spec = llama(h);
  nn::DecoderSpec& decoder = *spec.decoder;
  decoder.embedding.scale = h.number("embedding_scale", where_absent.embedding);
  decoder.stack.residual_scale = h.number("residual_scale", where_absent.residual);
  const float divisor = h.number("logit_scale", where_absent.logits);
  if (divisor == 0) throw Error(ErrorCode::invalid_file, "must not be 0", h.full("logit_scale"));
  decoder.head.scale = 1.0f / divisor;
  return spec;
}

}  // namespace

ModelSpec granite(const Hyperparameters& h) {
  ModelSpec spec = multiplied_llama(h, {});
  for_each_attention(spec.decoder->stack, [&](nn::AttentionSpec& attention, std::size_t) {
    attention.scale = h.number("attention.scale", attention.scale);
  });
  return spec;
}

ModelSpec granite_swa(const Hyperparameters& h) {
  ModelSpec spec = granite(h);
  const auto local = h.flags("attention.sliding_window_pattern", layer_count(h), false);
  const auto rotary = h.flags("attention.rope_pattern", layer_count(h), true);
  for_each_attention(spec.decoder->stack, [&](nn::AttentionSpec& attention, std::size_t layer) {
    attention.sinks = true;
    if (local[layer]) attention.window = h.count("attention.sliding_window");
    if (!rotary[layer]) attention.rope.reset();
  });
  return spec;
}

ModelSpec minicpm(const Hyperparameters& h) {
  const auto layers = static_cast<float>(layer_count(h)), width = static_cast<float>(h.count("embedding_length"));
  return multiplied_llama(h, {.embedding = 12, .residual = 1.4f / std::sqrt(layers), .logits = 256 / width});
}

}  // namespace heed::models

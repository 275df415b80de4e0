// Granite 3 and its mixtures of experts: LLaMA with multipliers, as in maximal update parametrisation (arXiv:2203.03466).
#include "models/common.hpp"
#include "models/families.hpp"

namespace heed::models {

ModelSpec granite(const Hyperparameters& h) {
  ModelSpec spec = llama(h);
  nn::DecoderSpec& decoder = *spec.decoder;
  decoder.embedding.scale = h.number("embedding_scale", 1.0f);
  decoder.stack.residual_scale = h.number("residual_scale", 1.0f);
  const float divisor = h.number("logit_scale", 1.0f);
  if (divisor == 0) throw Error(ErrorCode::invalid_file, "must not be 0", h.full("logit_scale"));
  decoder.head.scale = 1.0f / divisor;
  for_each_attention(decoder.stack, [&](nn::AttentionSpec& attention, std::size_t) {
    attention.scale = h.number("attention.scale", attention.scale);
  });
  return spec;
}

}  // namespace heed::models

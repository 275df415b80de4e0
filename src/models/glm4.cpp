// GLM-4 of 2025 (arXiv:2406.12793): norms before and after attention and MLP. Files of GLM-4V, whose pictures lie on several
// axes, have the rows of RoPE in halves.
#include "models/common.hpp"
#include "models/families.hpp"

namespace heed::models {

ModelSpec glm4(const Hyperparameters& h) {
  const bool has_axes = h.contains("rope.dimension_sections");
  const auto attention = rotary_attention(h, has_axes ? nn::RopePairing::halves : nn::RopePairing::interleaved);
  check_rope_sections(h, *attention.rope);
  return decoder_only(decoder(h, rms_norm(h), sandwich_layer(attention, gated_mlp(h))));
}

}  // namespace heed::models

// GLM-4 of 2025 (arXiv:2406.12793): norms before and after attention and MLP. GLM-4V has images, with positions on several axes;
// its files have the rows of RoPE in halves.
#include "models/common.hpp"
#include "models/families.hpp"

namespace heed::models {

ModelSpec glm4(const Hyperparameters& h) {
  const bool has_axes = h.contains("rope.dimension_sections");
  auto attention = rotary_attention(h, has_axes ? nn::RopePairing::halves : nn::RopePairing::interleaved);
  set_rope_sections(*attention.rope, h, nn::RopeAxes::consecutive);
  return decoder_only(decoder(h, rms_norm(h), sandwich_layer(attention, gated_mlp(h))));
}

}  // namespace heed::models

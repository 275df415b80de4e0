// ERNIE 4.5 (Baidu's technical report of 2025): LLaMA; mixtures have dense layers first, a shared expert, and a bias for choosing
// experts. PaddleOCR-VL (arXiv:2510.14528) has images, with positions on several axes.
#include "models/common.hpp"
#include "models/experts.hpp"
#include "models/families.hpp"

namespace heed::models {

ModelSpec ernie4_5(const Hyperparameters& h) {
  const auto attention = rotary_attention(h, nn::RopePairing::interleaved);
  return decoder_only(decoder(h, pre_norm_layer(attention, gated_mlp(h))));
}

ModelSpec paddleocr(const Hyperparameters& h) {
  auto attention = rotary_attention(h, nn::RopePairing::halves);
  set_rope_sections(*attention.rope, h, nn::RopeAxes::consecutive);
  return decoder_only(decoder(h, pre_norm_layer(attention, gated_mlp(h))));
}

ModelSpec ernie4_5_moe(const Hyperparameters& h) {
  nn::ExpertsSpec mixture = softmax_experts(h);
  mixture.selection_bias = true;
  ModelSpec spec = ernie4_5(h);
  const std::size_t dense = h.count("leading_dense_block_count", 0), step = h.count("interleave_moe_layer_step", 1);
  if (step == 0) throw Error(ErrorCode::invalid_file, "must not be 0", h.full("interleave_moe_layer_step"));
  std::vector<nn::LayerSpec>& layers = spec.decoder->stack.layers;
  for (std::size_t i = dense; i < layers.size(); ++i)
    if (ends_group(i, step)) layers[i].sublayers[1].block = mixture;
  return spec;
}

}  // namespace heed::models

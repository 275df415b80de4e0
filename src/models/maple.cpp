// Maple and Maion Coder: experts, norms of queries and keys, and positions only in layers with a window. Maple limits the factors
// that its experts multiply. Maion also has norms after each block, and its experts work in a narrower space.
#include "models/common.hpp"
#include "models/experts.hpp"
#include "models/families.hpp"

namespace heed::models {
namespace {

nn::DecoderSpec local_positions(const Hyperparameters& h, const nn::LayerSpec& layer) {
  nn::DecoderSpec spec = decoder(h, layer);
  const std::vector<bool> local = local_layers(h, 4);
  for_each_attention(spec.stack, [&](nn::AttentionSpec& of_layer, std::size_t i) {
    if (local[i]) set_window(of_layer, h);
    else of_layer.rope.reset();
  });
  return spec;
}

}  // namespace

ModelSpec maple(const Hyperparameters& h) {
  nn::DecoderSpec spec = local_positions(h, pre_norm_layer(normed_attention(h, nn::RopePairing::halves), softmax_experts(h)));
  const auto limits = numbers_of_layers(h, "swiglu_clamp_exp");
  for (std::size_t i = 0; i < limits.size(); ++i) {
    auto& of_layer = std::get<nn::ExpertsSpec>(last_block(spec.stack.layers[i]));
    of_layer.expert.limit = limits[i];
    of_layer.expert.limits_first = true;
  }
  return decoder_only(std::move(spec));
}

ModelSpec maion_coder(const Hyperparameters& h) {
  nn::ExpertsSpec narrow = softmax_experts(h);
  narrow.latent = h.count("moe_latent_size", 0);
  nn::DecoderSpec spec = local_positions(h, sandwich_layer(normed_attention(h, nn::RopePairing::halves), gated_mlp(h)));
  const std::size_t step = h.count("interleave_moe_layer_step", 1);
  for (std::size_t i = 0; i < spec.stack.layers.size(); ++i)
    if (ends_group(i, step)) last_block(spec.stack.layers[i]) = narrow;
  return decoder_only(std::move(spec));
}

}  // namespace heed::models

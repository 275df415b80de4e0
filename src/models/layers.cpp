// Builds layers from sublayers.
#include "models/common.hpp"

namespace heed::models {

nn::LayerSpec pre_norm_layer(nn::BlockSpec attention, nn::BlockSpec mlp) {
  return {
      .sublayers = {{.pre_norm = "attn_norm", .block = std::move(attention)}, {.pre_norm = "ffn_norm", .block = std::move(mlp)}}};
}

nn::LayerSpec parallel_layer(nn::BlockSpec attention, nn::BlockSpec mlp) {
  nn::LayerSpec layer = pre_norm_layer(std::move(attention), std::move(mlp));
  layer.sublayers[1].pre_norm = layer.sublayers[0].pre_norm;
  layer.parallel = true;
  return layer;
}

nn::LayerSpec sandwich_layer(nn::BlockSpec attention, nn::BlockSpec mlp) {
  nn::LayerSpec layer = pre_norm_layer(std::move(attention), std::move(mlp));
  layer.sublayers[0].post_norm = "post_attention_norm";
  layer.sublayers[1].post_norm = "post_ffw_norm";
  return layer;
}

nn::LayerSpec post_norm_layer(nn::BlockSpec attention, nn::BlockSpec mlp) {
  nn::LayerSpec layer = sandwich_layer(std::move(attention), std::move(mlp));
  for (nn::SublayerSpec& sublayer : layer.sublayers) sublayer.pre_norm = {};
  return layer;
}

}  // namespace heed::models

// The tower of Gemma 4: RMS norms everywhere, positions from two tables and by RoPE, matrices with bounds of inputs and outputs.
#include <cmath>

#include "models/vision/projectors.hpp"

namespace heed::models {

nn::VisionSpec gemma4_vision(const Hyperparameters& h) {
  nn::VisionSpec spec = vision_tower(h, nn::NormKind::rms);
  const std::size_t merge = merge_factor(h, "vision.projector.scale_factor", 3), unit = merge * spec.patches.patch;
  spec.clamped = true;
  spec.patches.pixel_scale = 2;
  spec.patches.pixel_shift = -1;
  spec.patches.positions = nn::PositionTable::column_and_row;
  rotate(spec, nn::RopeAxes::columns_rows, nn::RopePairing::quarters, 100.0f);
  gate(spec);
  for (nn::LayerSpec& layer : spec.stack.layers) {
    layer.sublayers[0].post_norm = "attn_post_norm";
    layer.sublayers[1].post_norm = "ffn_post_norm";
    layer.output_scale = "out_scale";
    auto& attention = std::get<nn::AttentionSpec>(layer.sublayers[0].block);
    attention.qk_norm = {.norm = spec.stack.norm};
    attention.value_norm = spec.stack.norm;
    attention.scale = 1;
  }
  spec.stack.final_norm_optional = true;
  spec.preparation.method = own_size(h, unit, 70, 1120, false);
  const std::size_t width = spec.projector.width;
  spec.projector.merge = merge;
  spec.projector.steps = {nn::AverageStep{merge}, nn::ScaleStep{std::sqrt(static_cast<float>(spec.stack.width))},
                          nn::StandardizeStep{"v.std_bias", "v.std_scale"}, nn::NormStep{"", spec.stack.norm},
                          nn::ProductStep{"mm.input_projection", width}};
  spec.markers = {.before = "<|image>", .after = "<image|>"};
  return spec;
}

}  // namespace heed::models

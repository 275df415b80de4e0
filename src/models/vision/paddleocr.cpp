// PaddleOCR-VL (arXiv:2510.14528): a tower like SigLIP's, with additional RoPE by rows and columns.
#include "models/vision/projectors.hpp"

namespace heed::models {

nn::VisionSpec paddleocr_vision(const Hyperparameters& h) {
  nn::VisionSpec spec = vision_tower(h, nn::NormKind::layer);
  spec.patches.biased = true;
  const std::size_t merge = merge_factor(h, "vision.spatial_merge_size", 2);
  spec.patches.positions = nn::PositionTable::antialiased;
  rotate(spec, nn::RopeAxes::rows_columns, nn::RopePairing::halves);
  h.count("vision.image_min_pixels");  // required: there are no other bounds
  h.count("vision.image_max_pixels");
  spec.preparation.method = own_size(h, merge * spec.patches.patch, 1, 1, true);
  spec.projector.merge = merge;
  spec.projector.steps = {nn::NormStep{"mm.input_norm", {nn::NormKind::layer, 1e-5f}}, nn::MergeStep{merge}};
  add_mlp(spec.projector, "mm.1", "mm.2", std::get<nn::MlpSpec>(spec.stack.layers[0].sublayers[1].block).activation);
  spec.markers = {.before = "<|IMAGE_START|>", .after = "<|IMAGE_END|>"};
  return spec;
}

}  // namespace heed::models

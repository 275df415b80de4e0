// Pixtral (arXiv:2410.07073), and Mistral Small 3.1 and later, which merge patches.
#include "models/vision/projectors.hpp"

namespace heed::models {

nn::VisionSpec pixtral(const Hyperparameters& h) {
  nn::VisionSpec spec = vision_tower(h, nn::NormKind::rms);
  const std::size_t merge = merge_factor(h, "vision.spatial_merge_size", 1);
  gate(spec);
  rotate(spec, nn::RopeAxes::alternating, nn::RopePairing::interleaved);
  spec.patches.positions = nn::PositionTable::none;
  spec.patches.norm = "pre_ln";
  spec.stack.final_norm = {};
  spec.preparation.method = own_size(h, merge * spec.patches.patch, 8, 1024, false);
  spec.projector.merge = merge;
  if (merge > 1)
    spec.projector.steps = {nn::NormStep{"mm.input_norm", spec.stack.norm}, nn::MergeStep{merge, true},
                            nn::ProductStep{"mm.patch_merger", spec.stack.width}};
  add_mlp(spec.projector, "mm.1", "mm.2", kernels::Activation::gelu_tanh);
  spec.projector.steps.push_back(nn::BreakStep{"v.token_embd.img_break"});
  spec.markers = {.after = "[IMG_END]"};
  return spec;
}

}  // namespace heed::models

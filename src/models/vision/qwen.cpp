// Qwen's towers, with RoPE by rows and columns (arXiv:2409.12191): Qwen2.5-VL with windows (arXiv:2502.13923), Qwen3-VL with rows
// for the text model's first layers (arXiv:2511.21631), and GLM-4V (arXiv:2507.01006).
#include "models/vision/projectors.hpp"

namespace heed::models {
namespace {

constexpr auto kMergedGelu = kernels::Activation::gelu_tanh;

/// Images keep their size, and each counts as two frames of a video; four patches become a row.
nn::VisionSpec qwen_tower(const Hyperparameters& h, nn::NormKind norm, bool bounded) {
  nn::VisionSpec spec = vision_tower(h, norm);
  const std::size_t merge = merge_factor(h, "vision.spatial_merge_size", 2);
  if (merge != 2) throw Error(ErrorCode::unsupported, "must be 2", h.full("vision.spatial_merge_size"));
  spec.patches.frames = 2;
  spec.preparation.method = own_size(h, merge * spec.patches.patch, 8, 4096, bounded);
  rotate(spec, nn::RopeAxes::rows_columns, nn::RopePairing::halves);
  spec.markers = {.before = "<|vision_start|>", .after = "<|vision_end|>"};
  spec.projector.merge = merge;
  return spec;
}

}  // namespace

nn::VisionSpec qwen3_vision(const Hyperparameters& h) {
  nn::VisionSpec spec = qwen_tower(h, nn::NormKind::layer, true);
  spec.patches.biased = true;
  spec.patches.positions = nn::PositionTable::corners;
  spec.deep_stack.prefix = "v.deepstack.";
  spec.projector.steps = {nn::MergeStep{spec.projector.merge}};
  add_mlp(spec.projector, "mm.0", "mm.2", kMergedGelu);
  return spec;
}

nn::VisionSpec qwen25_vision(const Hyperparameters& h) {
  constexpr std::size_t kWindow = 112;  // pixels per side
  nn::VisionSpec spec = qwen_tower(h, nn::NormKind::rms, true);
  gate(spec);
  spec.patches.positions = nn::PositionTable::none;
  if (const std::size_t period = h.count("vision.n_wa_pattern"); period != 0) {
    const std::size_t rows = kWindow / spec.patches.patch / spec.projector.merge;  // per side of a window
    if (rows == 0)
      throw Error(ErrorCode::invalid_file, "must be at most 56 where layers have windows", h.full("vision.patch_size"));
    spec.patches.window = rows * spec.projector.merge;
    for (std::size_t i = 0; i < spec.stack.layers.size(); ++i)
      if ((i + 1) % period != 0) std::get<nn::AttentionSpec>(spec.stack.layers[i].sublayers[0].block).mask = nn::Mask::group;
  }
  spec.projector.steps = {nn::MergeStep{spec.projector.merge}};
  add_mlp(spec.projector, "mm.0", "mm.2", kMergedGelu);
  return spec;
}

nn::VisionSpec glm4_vision(const Hyperparameters& h) {
  nn::VisionSpec spec = qwen_tower(h, nn::NormKind::rms, false);
  gate(spec);
  spec.patches.biased = true;
  spec.patches.early_norm = "norm_embd";
  spec.markers = {.before = "<|begin_of_image|>", .after = "<|end_of_image|>"};
  spec.patches.positions = nn::PositionTable::cubic;
  const std::size_t width = spec.projector.width;
  spec.projector.steps = {nn::MergeStep{spec.projector.merge, true},
                          nn::ProductStep{"mm.patch_merger"},
                          nn::ProductStep{"mm.model.fc"},
                          nn::NormStep{"mm.post_norm", {nn::NormKind::layer, 1e-5f}},
                          nn::ActivationStep{kernels::Activation::gelu},
                          nn::GatedStep{"mm.gate", "mm.up", "mm.down", width}};
  return spec;
}

}  // namespace heed::models

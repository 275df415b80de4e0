// Towers like CLIP's (arXiv:2103.00020), with the class token after the patches: LLaVA 1.5 (arXiv:2310.03744) and InternVL
// (arXiv:2404.16821).
#include <algorithm>

#include "models/vision/projectors.hpp"

namespace heed::models {
namespace {

nn::VisionSpec clip_tower(const Hyperparameters& h) {
  nn::VisionSpec spec = vision_tower(h, nn::NormKind::layer);
  spec.patches.class_token = nn::ClassToken::last;
  return spec;
}

}  // namespace

/// The projector skips the first row. In the original models, that is the class token; here, the class token is the last row, and
/// is read. Files are made for llama.cpp, which does the same as Heed.
nn::VisionSpec llava(const Hyperparameters& h) {
  nn::VisionSpec spec = clip_tower(h);
  if (spec.stack.layers.size() < 2) throw Error(ErrorCode::invalid_file, "must be at least 2", h.full("vision.block_count"));
  for (nn::LayerSpec& layer : spec.stack.layers) std::get<nn::MlpSpec>(layer.sublayers[1].block).may_be_exchanged = true;
  spec.patches.norm = "pre_ln";
  spec.stack.layers.pop_back();  // the projector reads the output of the last layer but one
  spec.stack.drafts = 1;
  spec.stack.final_norm_optional = true;
  spec.preparation.method = images::Square{spec.patches.image};
  spec.preparation.padding[0] = 122;
  spec.preparation.padding[1] = 116;
  spec.preparation.padding[2] = 104;
  spec.projector.first = 1;
  add_mlp(spec.projector, "mm.0", "mm.2", kernels::Activation::gelu_tanh);
  return spec;
}

nn::VisionSpec internvl(const Hyperparameters& h) {
  constexpr std::size_t kMostTiles = 256, kMostPixels = std::size_t{1} << 27, kMostSide = 4096;
  nn::VisionSpec spec = clip_tower(h);
  const std::size_t merge = merge_factor(h, "vision.projector.scale_factor", 0);
  spec.patches.biased = true;
  spec.stack.final_norm = {};
  for (nn::LayerSpec& layer : spec.stack.layers) {
    layer.sublayers[0].gain = "ls1";
    layer.sublayers[1].gain = "ls2";
  }
  const std::size_t side = std::min(spec.patches.image, kMostSide);  // larger ones are rejected later
  const std::size_t least = h.count("vision.preproc_min_tiles", 1), most = h.count("vision.preproc_max_tiles", 12);
  if (most == 0 || most > kMostTiles || std::uint64_t{most} * side * side > kMostPixels)
    throw Error(ErrorCode::invalid_file, "must be from 1 to 256, and small enough for the size of tiles",
                h.full("vision.preproc_max_tiles"));
  if (least == 0 || least > most)
    throw Error(ErrorCode::invalid_file, "must be from 1 to preproc_max_tiles", h.full("vision.preproc_min_tiles"));
  if (least * least > most)
    throw Error(ErrorCode::unsupported, "leaves no grid of tiles below preproc_max_tiles", h.full("vision.preproc_min_tiles"));
  spec.preparation.method = images::MostPixels{side, least, most};
  spec.projector.merge = merge;
  spec.projector.steps = {nn::MergeStep{merge}, nn::NormStep{"mm.model.mlp.0", {nn::NormKind::layer, 1e-5f}}};
  add_mlp(spec.projector, "mm.model.mlp.1", "mm.model.mlp.3", kernels::Activation::gelu_tanh);
  spec.markers = {.before = "<img>", .after = "</img>"};
  return spec;
}

}  // namespace heed::models

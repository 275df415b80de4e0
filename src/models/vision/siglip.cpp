// Towers like SigLIP's (arXiv:2303.15343): SmolVLM and Idefics 3 (arXiv:2408.12637, arXiv:2504.05299), LFM2-VL (arXiv:2511.23404),
// Gemma 3 (arXiv:2503.19786).
#include "models/vision/projectors.hpp"

namespace heed::models {
namespace {

constexpr auto kGelu = kernels::Activation::gelu_tanh;

/// The norm in projectors; files lack its epsilon.
constexpr nn::NormSpec kProjectorNorm{nn::NormKind::layer, 1e-5f};

nn::VisionSpec siglip(const Hyperparameters& h) {
  nn::VisionSpec spec = vision_tower(h, nn::NormKind::layer);
  spec.patches.biased = true;
  return spec;
}

/// Lets files have the two matrices of MLPs exchanged, as old files do.
void may_exchange(nn::VisionSpec& spec) {
  for (nn::LayerSpec& layer : spec.stack.layers) std::get<nn::MlpSpec>(layer.sublayers[1].block).may_be_exchanged = true;
}

}  // namespace

/// Files of before October 2025 lack the length of the longest edge: with them, models see only the overview, as in llama.cpp.
nn::VisionSpec idefics3(const Hyperparameters& h) {
  constexpr std::size_t kMostEdge = 1u << 13, kMostTiles = 16;  // tiles per side: each adds tokens around it
  const std::string_view key = "vision.preproc_image_size";
  nn::VisionSpec spec = siglip(h);
  may_exchange(spec);
  const std::size_t merge = merge_factor(h, "vision.projector.scale_factor", 0);
  spec.preparation.filter = images::Filter::lanczos;
  spec.projector.merge = merge;
  spec.projector.steps = {nn::MergeStep{merge}, nn::ProductStep{"mm.model.fc", spec.projector.width}};
  if (!h.contains(key)) {
    spec.preparation.method = images::MostPixels{.tile = spec.patches.image, .most = 0};
    spec.markers = {.before = "<fake_token_around_image><global-img>", .after = "<fake_token_around_image>"};
    return spec;
  }
  const std::size_t edge = h.count(key);
  if (edge == 0 || edge > kMostEdge)
    throw Error(ErrorCode::invalid_file, "must be from 1 to " + std::to_string(kMostEdge), h.full(key));
  if (spec.patches.image > 0 && edge > kMostTiles * spec.patches.image)  // 0 is rejected later
    throw Error(ErrorCode::invalid_file, "must be at most " + std::to_string(kMostTiles) + " times image_size", h.full(key));
  spec.preparation.method = images::LongestEdge{edge, spec.patches.image};
  spec.markers = {.after = "<fake_token_around_image>",
                  .tile = "<fake_token_around_image><row_ROW_col_COLUMN>",
                  .overview = "<fake_token_around_image><global-img>",
                  .line = "\n",
                  .grid = "\n\n"};
  return spec;
}

nn::VisionSpec lfm2_vision(const Hyperparameters& h) {
  nn::VisionSpec spec = siglip(h);
  const std::size_t merge = merge_factor(h, "vision.projector.scale_factor", 0), unit = spec.patches.patch * merge;
  spec.patches.positions = nn::PositionTable::antialiased;
  spec.preparation.method =
      images::NearestShape{.overview = own_size(h, unit, 64, 256, false), .tile = 512, .least = 2, .most = 10};
  spec.preparation.filter = images::Filter::bilinear;
  spec.projector.merge = merge;
  spec.projector.steps = {nn::MergeStep{merge}, nn::NormStep{"mm.input_norm", kProjectorNorm, true}};
  add_mlp(spec.projector, "mm.1", "mm.2", kGelu);
  spec.markers = {.before = "<|image_start|>",
                  .after = "<|image_end|>",
                  .tile = "<|img_row_ROW_col_COLUMN|>",
                  .overview = "<|img_thumbnail|>"};
  return spec;
}

nn::VisionSpec gemma3_vision(const Hyperparameters& h) {
  nn::VisionSpec spec = siglip(h);
  may_exchange(spec);
  const std::size_t merge = merge_factor(h, "vision.projector.scale_factor", 4);
  spec.preparation.method = images::Square{spec.patches.image};
  spec.preparation.filter = images::Filter::bilinear;
  spec.projector.merge = merge;
  spec.projector.steps = {nn::AverageStep{merge}, nn::NormStep{"mm.soft_emb_norm", {nn::NormKind::rms, spec.stack.norm.epsilon}},
                          nn::ProductStep{"mm.input_projection", spec.projector.width, true}};
  spec.markers = {.before = "<start_of_image>", .after = "<end_of_image>"};
  return spec;
}

}  // namespace heed::models

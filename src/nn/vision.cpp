#include "nn/vision.hpp"

#include <algorithm>
#include <string>

#include "base/error.hpp"
#include "nn/patch_order.hpp"

namespace heed::nn {
namespace {

/// Makes `weights` read the bounds of matrices if the spec has them; returns it.
Weights& with_clamps(const VisionSpec& spec, Weights& weights) {
  if (spec.clamped) weights.read_clamps();
  return weights;
}

/// The memory that a tower's pass keeps while its layers run.
ScratchNeed order_need(std::uint64_t tokens) noexcept {
  return ScratchNeed().allocate<std::size_t>(tokens).allocate<Coordinates>(tokens).allocate<PositionRange>(tokens);
}

}  // namespace

VisionEncoder::VisionEncoder(const VisionSpec& spec, Weights& weights)
    : spec_(spec), stack_(spec.stack, spec.patches.tokens(), with_clamps(spec, weights)) {
  const std::string prefix(spec.stack.prefix);
  const std::size_t width = spec.stack.width;
  patches_ = weights.linear(prefix + "patch_embd", width, patch_values(), spec.patches.biased);
  if (spec.patches.frames > 1) later_ = weights.matrix(prefix + "patch_embd.weight.1", width, patch_values());
  if (has_class()) class_token_ = weights.vector(prefix + "class_embd", width);
  if (spec.patches.positions != PositionTable::none)
    positions_.emplace(spec.patches.positions, spec.patches.tokens(), width, prefix + "position_embd", weights);
  early_norm_ = optional_norm(spec.stack.norm, width, prefix, spec.patches.early_norm, weights);
  norm_ = optional_norm(spec.stack.norm, width, prefix, spec.patches.norm, weights);
  if (!spec.projection.name.empty())
    projections_.push_back(weights.linear(std::string(spec.projection.name), spec.projection.rows, width));
  if (spec.classes != 0) classifier_ = weights.linear(prefix + "head", spec.classes, width);
}

ScratchNeed VisionEncoder::cutting(const VisionSpec& spec, std::uint64_t tokens) {
  const std::size_t values = 3 * spec.patches.patch * spec.patches.patch;
  ScratchNeed need;
  need.allocate<float>(tokens * values).allocate<float>(spec.stack.width).product(tokens, values);
  if (spec.patches.frames > 1) need.allocate<float>(tokens * spec.stack.width);
  return need;
}

ScratchNeed VisionEncoder::need(const VisionSpec& spec, const PassLimits& limits) {
  return order_need(limits.tokens)
      .with(cutting(spec, limits.tokens).either(Stack::need(spec.stack, limits)))
      .product(1, spec.stack.width);
}

ScratchNeed VisionEncoder::need(PatchGrid grid, std::size_t threads, const ScratchNeed& inside) const {
  const std::uint64_t tokens = this->tokens(grid), width = spec_.stack.width;
  ScratchNeed need = order_need(tokens);
  if (spec_.patches.window != 0) need.allocate<float>(tokens * width);
  need.with(cutting(spec_, tokens).either(Stack::need(spec_.stack, {width, tokens, tokens, threads}).with(inside)));
  need.clamps = spec_.clamped;
  return need;
}

void VisionEncoder::check(PatchGrid grid) const {
  const std::size_t most = positions_ ? positions_->most() : 0;
  if (most != 0 && (grid.columns > most || grid.rows > most))
    throw Error(ErrorCode::invalid_argument,
                "becomes " + std::to_string(grid.columns) + " x " + std::to_string(grid.rows) +
                    " patches, but this model has positions for at most " + std::to_string(most) + " a side",
                "image");
}

/// Writes the rows of the patches, in the order of the pass, and of the class token.
void VisionEncoder::embed(const Tile& tile, const std::size_t* order, Pass& pass, float* hidden) const noexcept {
  const Scratch::Scope scope(pass.scratch);
  const PatchSpec& spec = spec_.patches;
  const std::size_t width = spec_.stack.width, patch = spec.patch, values = patch_values();
  const PatchGrid grid = this->grid(tile);
  const std::size_t count = grid.count(), first = spec.class_token == ClassToken::first ? 1 : 0;
  float* cut = pass.scratch.allocate<float>(count * values);  // patches x channels x rows x columns
  float* position = pass.scratch.allocate<float>(width);
  for (std::size_t p = 0; p < count; ++p)
    for (std::size_t line = 0; line < 3 * patch; ++line) {
      const std::size_t channel = line / patch, y = order[p] / grid.columns * patch + line % patch;
      std::copy_n(tile.pixels + (channel * tile.height + y) * tile.width + order[p] % grid.columns * patch, patch,
                  cut + p * values + line * patch);
    }
  if (spec.pixel_scale != 1.0f || spec.pixel_shift != 0.0f)
    for (std::size_t i = 0; i < count * values; ++i) cut[i] = cut[i] * spec.pixel_scale + spec.pixel_shift;
  float* const patches = hidden + first * width;
  project(cut, count, {{&patches_, patches}}, pass);
  if (later_) {
    float* frame = pass.scratch.allocate<float>(count * width);
    project(cut, count, {{&*later_, frame}}, pass);
    pass.kernels.add(patches, frame, count * width);
  }
  const std::size_t class_row = first == 1 ? 0 : count;
  if (has_class()) std::copy_n(class_token_.data(), width, hidden + class_row * width);
  const Activations x{hidden, tokens(grid), width};
  if (early_norm_) (*early_norm_)(x, hidden, pass);
  for (std::size_t t = 0; positions_ && t < x.tokens; ++t) {
    const std::size_t p = has_class() && t == class_row ? 0 : order[t - first];
    positions_->add(t, p % grid.columns, p / grid.columns, grid, hidden + t * width, position, pass);
  }
  if (norm_) (*norm_)(x, hidden, pass);
}

bool VisionEncoder::forward(const Tile& tile, Pass& pass, float* hidden) const noexcept {
  const Scratch::Scope scope(pass.scratch);
  const PatchGrid grid = this->grid(tile);
  const std::size_t count = grid.count(), width = spec_.stack.width, window = spec_.patches.window;
  const Activations x{hidden, tokens(grid), width};
  auto* order = pass.scratch.allocate<std::size_t>(x.tokens);
  auto* coordinates = pass.scratch.allocate<Coordinates>(x.tokens);
  auto* groups = pass.scratch.allocate<PositionRange>(x.tokens);
  order_patches(grid, window, order, coordinates, groups);
  if (!has_class()) {  // only towers without a class token use coordinates and groups
    pass.coordinates = coordinates;
    pass.segments[0].groups = groups;
  }
  embed(tile, order, pass, hidden);
  if (!stack_(x, pass)) return false;
  stack_.finish(x, pass);
  if (window == 0) return true;
  float* ordered = pass.scratch.allocate<float>(count * width);
  for (std::size_t t = 0; t < count; ++t) std::copy_n(hidden + t * width, width, ordered + order[t] * width);
  std::copy_n(ordered, count * width, hidden);
  return true;
}

bool VisionEncoder::forward(const float* pixels, Pass& pass, float* hidden) const noexcept {
  return forward({pixels, spec_.patches.image, spec_.patches.image}, pass, hidden);
}

}  // namespace heed::nn

#include "nn/vision.hpp"

#include <algorithm>
#include <string>

namespace heed::nn {

VisionEncoder::VisionEncoder(const VisionSpec& spec, Weights& weights)
    : spec_(spec), stack_(spec.stack, spec.patches.tokens(), weights) {
  const std::string prefix(spec.stack.prefix);
  const std::size_t width = spec.stack.width;
  patches_ = weights.linear(prefix + "patch_embd", width, patch_values(), spec.patches.biased);
  class_token_ = weights.vector(prefix + "class_embd", width);
  positions_ = weights.linear(prefix + "position_embd", spec.patches.tokens(), width);
  if (!spec.patches.norm.empty()) norm_.emplace(spec.stack.norm, width, prefix + std::string(spec.patches.norm), weights);
  if (!spec.projection.name.empty())
    projections_.push_back(weights.linear(std::string(spec.projection.name), spec.projection.rows, width));
  if (spec.classes != 0) classifier_ = weights.linear(prefix + "head", spec.classes, width);
}

ScratchNeed VisionEncoder::need(const VisionSpec& spec, const PassLimits& limits) {
  const std::size_t values = 3 * spec.patches.patch * spec.patches.patch;
  ScratchNeed cutting;
  cutting.allocate<float>(limits.tokens * values).allocate<float>(limits.width).product(limits.tokens, values);
  return cutting.either(Stack::need(spec.stack, limits)).product(1, spec.stack.width);
}

bool VisionEncoder::forward(const float* pixels, Pass& pass, float* hidden) const noexcept {
  const std::size_t width = spec_.stack.width, side = spec_.patches.side(), patch = spec_.patches.patch;
  const std::size_t image = spec_.patches.image;
  const Activations x{hidden, spec_.patches.tokens(), width};
  {
    const Scratch::Scope scope(pass.scratch);
    float* cut = pass.scratch.allocate<float>(side * side * patch_values());  // patches x channels x rows x columns
    float* position = pass.scratch.allocate<float>(width);
    for (std::size_t p = 0; p < side * side; ++p)
      for (std::size_t line = 0; line < 3 * patch; ++line) {
        const std::size_t channel = line / patch, y = p / side * patch + line % patch;
        std::copy_n(pixels + (channel * image + y) * image + p % side * patch, patch, cut + p * patch_values() + line * patch);
      }
    project(cut, side * side, {{&patches_, hidden + width}}, pass);
    std::copy_n(class_token_.data(), width, hidden);
    for (std::size_t t = 0; t < x.tokens; ++t) {
      look_up(positions_, t, position, pass);
      pass.kernels.add(hidden + t * width, position, width);
    }
    if (norm_) (*norm_)(x, hidden, pass);
  }
  if (!stack_(x, pass)) return false;
  stack_.finish(x, pass);
  return true;
}

}  // namespace heed::nn

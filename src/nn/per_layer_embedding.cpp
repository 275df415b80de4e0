#include "nn/per_layer_embedding.hpp"

#include <cmath>
#include <cstdint>

namespace heed::nn {
namespace {

constexpr std::int32_t kPictureToken = 0;  // rows of images use the vectors of this token

}  // namespace

PerLayerEmbedding::PerLayerEmbedding(const PerLayerEmbeddingSpec& spec, std::size_t vocabulary, const StackSpec& stack,
                                     Weights& weights)
    : layers_(stack.layers.size()),
      width_(spec.width),
      projection_(weights.linear("per_layer_model_proj", layers_ * width_, stack.width)),
      projection_norm_(stack.norm, spec.width, "per_layer_proj_norm", weights) {
  if (spec.has_table) table_.emplace(weights.lookup_table("per_layer_token_embd", vocabulary, layers_ * width_));
}

ScratchNeed PerLayerEmbedding::need(const PerLayerEmbeddingSpec& spec, const StackSpec& stack, const PassLimits& limits) noexcept {
  return ScratchNeed()
      .allocate<float>(limits.tokens * stack.layers.size() * spec.width)
      .product(limits.tokens, static_cast<std::size_t>(limits.width));
}

ScratchNeed PerLayerEmbedding::need_of_preparing(const PerLayerEmbeddingSpec& spec, const StackSpec& stack,
                                                 const PassLimits& limits) noexcept {
  return ScratchNeed()
      .allocate<float>(limits.threads * stack.layers.size() * spec.width)
      .allocate<std::byte>(limits.threads * LookupTable::kPanelBytes);
}

void PerLayerEmbedding::prepare(std::span<const std::int32_t> tokens, Activations embedded, Pass& pass) const noexcept {
  const std::size_t all = layers_ * width_, threads = pass.pool.threads();
  float* inputs = pass.scratch.allocate<float>(embedded.tokens * all);
  pass.per_layer = {inputs, layers_, width_};
  const Scratch::Scope scope(pass.scratch);
  float* rows = pass.scratch.allocate<float>(threads * all);
  std::byte* panels = pass.scratch.allocate<std::byte>(threads * LookupTable::kPanelBytes);

  project(embedded.data, embedded.tokens, {{&projection_, inputs}}, pass);
  const float shrink = 1.0f / std::sqrt(static_cast<float>(embedded.width));
  const float stretch = std::sqrt(static_cast<float>(width_)), half = 1.0f / std::sqrt(2.0f);
  pass.pool.parallel_for(embedded.tokens, 1, [&](std::size_t begin, std::size_t end, std::size_t thread) noexcept {
    float* row = rows + thread * all;
    for (std::size_t t = begin; t < end; ++t) {
      float* input = inputs + t * all;
      pass.kernels.scale(input, shrink, all);
      for (std::size_t layer = 0; layer < layers_; ++layer)
        projection_norm_.apply(input + layer * width_, width_, input + layer * width_, pass);
      if (!table_) continue;
      const auto token = static_cast<std::size_t>(pass.picture_row(t) ? kPictureToken : tokens[t]);
      table_->read(token, panels + thread * LookupTable::kPanelBytes, row, pass.kernels);
      pass.kernels.add_scaled(input, row, stretch, all);
      pass.kernels.scale(input, half, all);
    }
  });
}

}  // namespace heed::nn

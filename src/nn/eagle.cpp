#include "nn/eagle.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace heed::nn {

Eagle::Eagle(const DraftSpec& spec, std::size_t context_length, Weights& weights, const Decoder& decoder)
    : Drafts(spec),
      mixture_(weights.linear("fc", spec.stack.width, spec.features->all())),
      embedding_norm_(spec.stack.norm, spec.stack.width, "blk.0.attn_norm", weights),
      state_norm_(spec.stack.norm, spec.stack.width, "blk.0.attn_norm_2", weights),
      final_norm_(spec.stack.norm, spec.stack.width, "output_norm", weights),
      stack_(spec.stack, context_length, weights) {
  if (spec.eagle->norms_features) features_norm_.emplace(spec.stack.norm, spec.features->all(), "enc.output_norm", weights);
  const std::size_t known = weights.contains("d2t") ? weights.outputs("d2t") / 2 : spec.embedding.vocabulary;
  if (weights.contains("d2t")) ids_ = weights.vector("d2t", 2 * known);
  take_tables(weights, decoder, known);
  weights.ignore("t2d");  // the inverse of d2t
}

ScratchNeed Eagle::need(const PassLimits& limits) const {
  const std::uint64_t rows = limits.tokens * spec_.stack.width;
  const std::size_t features = spec_.features->all();
  ScratchNeed need;
  need.allocate<float>(rows).allocate<float>(2 * rows).allocate<float>(std::max<std::uint64_t>(limits.tokens * features,
                                                                                               spec_.embedding.vocabulary));
  need.product(limits.tokens, std::max(features, 2 * spec_.stack.width));
  ScratchNeed layer = Stack::need(spec_.stack, limits);
  return need.with(Embedding::need(limits).either(layer.allocate<float>(2 * rows)));
}

void Eagle::mix(const float* handed, std::size_t tokens, float* rows, Pass& pass) const noexcept {
  const Scratch::Scope scope(pass.scratch);
  const std::size_t features = mixture_.matrix.columns;
  if (!features_norm_) return project(handed, tokens, {{&mixture_, rows}}, pass);
  float* const normed = pass.scratch.allocate<float>(tokens * features);
  for (std::size_t t = 0; t < tokens; ++t) features_norm_->apply(handed + t * features, features, normed + t * features, pass);
  project(normed, tokens, {{&mixture_, rows}}, pass);
}

void Eagle::enter(std::span<const std::int32_t> tokens, const float* before, Activations both, Pass& pass) const noexcept {
  const Scratch::Scope scope(pass.scratch);
  const std::size_t width = spec_.stack.width;
  const Activations embedded{pass.scratch.allocate<float>(tokens.size() * width), tokens.size(), width};
  (*tables_.embedding())(tokens, embedded, pass);
  join(embedding_norm_, state_norm_, embedded, before, both.data, pass);
}

void Eagle::remember(std::span<const std::int32_t> tokens, const float* before, Pass& pass) const noexcept {
  const Scratch::Scope scope(pass.scratch);
  const std::size_t width = 2 * spec_.stack.width;
  const Activations both{pass.scratch.allocate<float>(tokens.size() * width), tokens.size(), width};
  enter(tokens, before, both, pass);
  stack_.prepare(pass);
  pass.layer = 0;
  stack_.layer(0).sublayers()[0].remember(both, pass);
}

void Eagle::forward(std::size_t, std::span<const std::int32_t> tokens, const float* before, float* handed, float* logits,
                    Pass& pass) const noexcept {
  const Scratch::Scope scope(pass.scratch);
  const std::size_t width = spec_.stack.width, count = tokens.size();
  const Activations both{pass.scratch.allocate<float>(2 * count * width), count, 2 * width};
  const Activations x{pass.scratch.allocate<float>(count * width), count, width};
  enter(tokens, before, both, pass);
  for (std::size_t t = 0; t < count; ++t)
    std::copy_n(spec_.eagle->adds_normed ? both.data + (2 * t + 1) * width : before + t * width, width, x.data + t * width);
  {
    const Scratch::Scope of_layer(pass.scratch);
    stack_.prepare(pass);
    pass.layer = 0;
    const auto& sublayers = stack_.layer(0).sublayers();
    sublayers[0].block()(both, pass);  // T x D afterwards
    pass.kernels.add(x.data, both.data, count * width);
    sublayers[1](x, pass);
  }
  std::copy_n(x.data, count * width, handed);
  float* const last = x.data + (count - 1) * width;
  final_norm_.apply(last, width, last, pass);
  if (ids_.empty()) return project_read(last, 1, *tables_.output(), logits, pass);
  float* const known = pass.scratch.allocate<float>(ids_.size() / 2);
  project(last, 1, {{tables_.output(), known}}, pass);
  std::fill_n(logits, spec_.embedding.vocabulary, -std::numeric_limits<float>::infinity());
  for (std::size_t row = 0; row < ids_.size() / 2; ++row)
    if (const std::size_t id = std::bit_cast<std::uint32_t>(ids_[2 * row]); id < spec_.embedding.vocabulary)
      logits[id] = known[row];
}

}  // namespace heed::nn

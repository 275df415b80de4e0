#include "nn/decoder.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace heed::nn {
namespace {

/// The largest magnitude of a state that the final norm can take: beyond it, the sum of squares may overflow, and the output would
/// be zeros or NaN.
constexpr float kLargestState = 1e17F;

}  // namespace

Decoder::Decoder(const DecoderSpec& spec, std::size_t context_length, Weights& weights, const Embedding* shared)
    : spec_(spec),
      embedding_(spec.embedding, spec.stack.norm, spec.stack.prefix, weights, shared),
      stack_(spec.stack, context_length, weights) {
  if (spec.per_layer.width != 0) per_layer_.emplace(spec.per_layer, spec.embedding.vocabulary, spec.stack, weights);
  const bool has_table = weights.contains("token_embd.weight") || shared || !spec.stack.prefix.empty();
  if (has_table && weights.contains("output.weight")) head_ = weights.linear("output", spec.embedding.vocabulary, spec.stack.width);
}

ScratchNeed Decoder::need(const DecoderSpec& spec, const PassLimits& limits) {
  ScratchNeed need;
  need.allocate<float>(limits.tokens * spec.stack.width);
  need.product(limits.tokens, spec.stack.width);  // input of the head's matrix
  if (spec.per_layer.width == 0) return need.with(Embedding::need(limits).either(Stack::need(spec.stack, limits)));
  need.with(PerLayerEmbedding::need(spec.per_layer, spec.stack, limits));
  return need.with(Embedding::need(limits)
                       .either(PerLayerEmbedding::need_of_preparing(spec.per_layer, spec.stack, limits))
                       .either(Stack::need(spec.stack, limits)));
}

std::uint64_t Decoder::share(const Decoder& other) noexcept {
  const std::uint64_t of_head = drop_if_same(head_, other.head());
  if (of_head > 0) shared_head_ = &other.head();
  return embedding_.share(other.embedding_) + of_head;
}

bool Decoder::forward(std::span<const std::int32_t> tokens, Pass& pass, float* logits,
                      std::span<const std::size_t> rows) const noexcept {
  const Scratch::Scope scope(pass.scratch);
  const std::size_t width = spec_.stack.width;
  const Activations x{pass.scratch.allocate<float>(tokens.size() * width), tokens.size(), width};
  embedding_(tokens, x, pass);
  if (per_layer_) per_layer_->prepare(tokens, x, pass);
  if (pass.first_layer > 0) std::copy_n(pass.states, tokens.size() * width, x.data);
  if (!stack_(x, pass)) return false;
  if (pass.changed())
    pass.overflowed = !std::all_of(x.data, x.data + x.tokens * width, [](float state) { return std::abs(state) <= kLargestState; });
  if (pass.handed) hand_on(x, pass);
  if (rows.empty()) return true;

  const Activations wanted{x.data, rows.size(), width};  // x itself is no longer needed
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (rows[i] != i) std::copy_n(x.data + rows[i] * width, width, x.data + i * width);
  read_out(wanted, logits, pass, rows.data());
  for (std::size_t i = 0; i < rows.size(); ++i)
    pass.visit_row({Point::logits}, rows[i], logits + i * spec_.embedding.vocabulary, spec_.embedding.vocabulary);
  return true;
}

void Decoder::hand_on(Activations x, Pass& pass) const noexcept {
  const std::size_t depth = stack_.depth();
  const auto& inputs = pass.hands_inputs;
  if (!inputs.empty() && std::find(inputs.begin(), inputs.end(), depth) == inputs.end()) return;
  const Scratch::Scope scope(pass.scratch);
  const Activations rows{inputs.empty() ? pass.handed : pass.scratch.allocate<float>(x.tokens * x.width), x.tokens, x.width};
  std::copy_n(x.data, x.tokens * x.width, rows.data);
  if (pass.hands_normed) stack_.finish(rows, pass);
  pass.hand_input(depth, rows);
}

void Decoder::read_out(Activations x, float* logits, Pass& pass, const std::size_t* pass_rows) const noexcept {
  const std::size_t count = x.tokens * spec_.embedding.vocabulary;
  stack_.finish(x, pass, pass_rows);
  for (std::size_t t = 0; !pass.segments.empty() && t < x.tokens; ++t)
    pass.visit_row({kFinalPoints.in}, pass_rows[t], x.data + t * x.width, x.width);
  project_read(x.data, x.tokens, head(), logits, pass, pass_rows);
  if (spec_.head.scale != 1.0f) pass.kernels.scale(logits, spec_.head.scale, count);
  if (spec_.head.softcap == 0.0f) return;
  for (std::size_t t = 0; !pass.segments.empty() && t < x.tokens; ++t)
    pass.visit_row({Point::logits_raw}, pass_rows[t], logits + t * spec_.embedding.vocabulary, spec_.embedding.vocabulary);
  pass.kernels.softcap(logits, spec_.head.softcap, count);
}

}  // namespace heed::nn

#include "nn/dflash.hpp"

#include <algorithm>

namespace heed::nn {

DFlash::DFlash(const DraftSpec& spec, std::size_t context_length, Weights& weights, const Decoder& decoder)
    : Drafts(spec),
      mixture_(weights.linear("fc", spec.stack.width, spec.features->all())),
      mixture_norm_(spec.stack.norm, spec.stack.width, "enc.output_norm", weights),
      stack_(spec.stack, context_length, weights) {
  take_tables(weights, decoder, spec.embedding.vocabulary);
}

ScratchNeed DFlash::need(const PassLimits& limits) const {
  const std::uint64_t rows = limits.tokens * spec_.stack.width;
  ScratchNeed need;
  need.allocate<float>(rows).product(limits.tokens, std::max(spec_.features->all(), spec_.stack.width));
  return need.with(Embedding::need(limits).either(Stack::need(spec_.stack, limits)));
}

void DFlash::mix(const float* handed, std::size_t tokens, float* rows, Pass& pass) const noexcept {
  const std::size_t width = spec_.stack.width;
  project(handed, tokens, {{&mixture_, rows}}, pass);
  for (std::size_t t = 0; t < tokens; ++t) mixture_norm_.apply(rows + t * width, width, rows + t * width, pass);
}

void DFlash::remember(std::span<const std::int32_t> tokens, const float* rows, Pass& pass) const noexcept {
  const Scratch::Scope scope(pass.scratch);
  const std::size_t width = spec_.stack.width, size = tokens.size() * width;
  const Activations x{pass.scratch.allocate<float>(size), tokens.size(), width};
  stack_.prepare(pass);
  for (pass.layer = 0; pass.layer < stack_.depth(); ++pass.layer) {
    std::copy_n(rows, size, x.data);
    stack_.layer(pass.layer).sublayers()[0].block().remember(x, pass);
  }
}

void DFlash::forward(std::size_t, std::span<const std::int32_t> tokens, const float*, float*, float* logits,
                     Pass& pass) const noexcept {
  const Scratch::Scope scope(pass.scratch);
  const std::size_t width = spec_.stack.width;
  const Activations x{pass.scratch.allocate<float>(tokens.size() * width), tokens.size(), width};
  (*tables_.embedding())(tokens, x, pass);
  stack_(x, pass);
  stack_.finish(x, pass);
  project_read(x.data + width, tokens.size() - 1, *tables_.output(), logits, pass);
}

}  // namespace heed::nn

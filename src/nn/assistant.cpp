#include "nn/assistant.hpp"

#include <algorithm>

namespace heed::nn {

Assistant::Assistant(const DraftSpec& spec, std::size_t context_length, Weights& weights)
    : spec_(spec),
      pre_(weights.linear("nextn.pre_projection", spec.stack.width, 2 * spec.assists)),
      post_(weights.linear("nextn.post_projection", spec.assists, spec.stack.width)),
      table_(weights.linear("token_embd", spec.embedding.vocabulary, spec.stack.width)),
      stack_(spec.stack, context_length, weights) {
  weights.ignore("masked_embd_");  // a head over clusters of tokens, which is not used
}

ScratchNeed Assistant::need(const DraftSpec& spec, const PassLimits& limits) {
  ScratchNeed need;
  need.allocate<float>(limits.tokens * 2 * spec.assists).allocate<float>(limits.tokens * spec.stack.width);
  need.product(limits.tokens, 2 * spec.assists).product(limits.tokens, spec.stack.width);
  PassLimits of_decoder = limits;
  of_decoder.width = spec.assists;
  return need.with(Embedding::need(of_decoder).either(Stack::need(spec.stack, limits)));
}

void Assistant::forward(std::int32_t token, const Embedding& embedding, const float* before, float* handed, float* logits,
                        Pass& pass) const noexcept {
  const Scratch::Scope scope(pass.scratch);
  const std::size_t width = spec_.assists;
  float* const both = pass.scratch.allocate<float>(2 * width);
  const Activations x{pass.scratch.allocate<float>(spec_.stack.width), 1, spec_.stack.width};
  embedding({&token, 1}, {both, 1, width}, pass);
  std::copy_n(before, width, both + width);
  project(both, 1, {{&pre_, x.data}}, pass);
  stack_(x, pass);
  stack_.finish(x, pass);
  project(x.data, 1, {{&table_, logits}, {&post_, handed}}, pass);
}

}  // namespace heed::nn

#include "nn/draft_heads.hpp"

#include <algorithm>
#include <string>

namespace heed::nn {

DraftHeads::DraftHeads(const DraftSpec& spec, std::size_t context_length, Weights& weights, const Decoder* decoder)
    : Drafts(spec), stack_(spec.stack, context_length, weights) {
  const std::size_t width = spec.stack.width, vocabulary = spec.embedding.vocabulary;
  bool all_have_tables = true;
  for (const LayerSpec& layer : spec.stack.layers) {
    const std::string name = "blk." + std::to_string(*layer.block) + ".nextn.";
    const auto norm = [&](const std::string& of) { return Norm(spec.stack.norm, width, of, weights); };
    const bool own_norm = weights.contains(name + "shared_head_norm.weight");
    Head& head = heads_.emplace_back(Head{norm(name + "enorm"),
                                          norm(name + "hnorm"),
                                          norm(own_norm ? name + "shared_head_norm" : "output_norm"),
                                          weights.linear(name + "eh_proj", width, 2 * width),
                                          {},
                                          {}});
    const auto optional = [&](const char* own) -> std::optional<Linear> {
      if (!weights.contains(name + own + ".weight")) return std::nullopt;
      return weights.linear(name + own, vocabulary, width);
    };
    head.table = optional("embed_tokens");
    head.output = optional("shared_head_head");
    if (head.table) weights.mark(name + "embed_tokens.weight", MatrixUse::embedding);
    all_have_tables = all_have_tables && head.table;
  }
  if (!decoder && (!all_have_tables || weights.contains("token_embd.weight")))
    tables_.own_embedding.emplace(spec.embedding, spec.stack.norm, spec.stack.prefix, weights);
  if (!decoder) weights.ignore("output_norm.");  // only heads without their own norm need it
  if (!decoder && weights.contains("output.weight")) tables_.own_output = weights.linear("output", vocabulary, width);
  tables_.decoder = decoder;
}

ScratchNeed DraftHeads::need_of(const DraftSpec& spec, const PassLimits& limits) {
  const std::uint64_t rows = limits.tokens * spec.stack.width;
  ScratchNeed need;
  need.allocate<float>(rows).product(limits.tokens, 2 * spec.stack.width).product(limits.tokens, spec.stack.width);
  ScratchNeed entering = Embedding::need(limits);
  entering.allocate<float>(rows).allocate<float>(2 * rows);
  ScratchNeed remembering = Stack::need(spec.stack, limits);
  return need.with(entering.either(remembering.allocate<float>(rows)));
}

void DraftHeads::remember(std::span<const std::int32_t> tokens, const float* before, Pass& pass) const noexcept {
  const Scratch::Scope scope(pass.scratch);
  const Activations x{pass.scratch.allocate<float>(tokens.size() * spec_.stack.width), tokens.size(), spec_.stack.width};
  for (std::size_t i = 0; i < heads_.size(); ++i) {
    enter(heads_[i], tokens, before, x, pass);
    const Scratch::Scope of_layer(pass.scratch);
    stack_.prepare(pass);
    pass.layer = i;
    for (const Sublayer& sublayer : stack_.layer(i).sublayers()) sublayer.remember(x, pass);
  }
}

void DraftHeads::forward(std::size_t head, std::span<const std::int32_t> tokens, const float* before, float* handed, float* logits,
                         Pass& pass) const noexcept {
  const Scratch::Scope scope(pass.scratch);
  const std::size_t width = spec_.stack.width, last = (tokens.size() - 1) * width;
  const Activations x{pass.scratch.allocate<float>(tokens.size() * width), tokens.size(), width};
  const Head& own = heads_[head];
  enter(own, tokens, before, x, pass);
  {
    const Scratch::Scope of_layer(pass.scratch);
    stack_.prepare(pass);
    pass.layer = head;
    stack_.layer(head)(x, pass);
  }
  std::copy_n(x.data, tokens.size() * width, handed);
  own.final_norm(x, x.data, pass);
  if (spec_.hands_normed) std::copy_n(x.data, tokens.size() * width, handed);
  const Linear* const output = own.output ? &*own.output : tables_.output() ? tables_.output() : &tables_.embedding()->table();
  project_read(x.data + last, 1, *output, logits, pass);
}

/// The layer's input: projection [norm(embedding); norm(before)].
void DraftHeads::enter(const Head& head, std::span<const std::int32_t> tokens, const float* before, Activations x,
                       Pass& pass) const noexcept {
  const Scratch::Scope scope(pass.scratch);
  const std::size_t width = x.width;
  float* const both = pass.scratch.allocate<float>(2 * tokens.size() * width);
  if (head.table)
    for (std::size_t t = 0; t < tokens.size(); ++t)
      look_up(*head.table, static_cast<std::size_t>(std::max(tokens[t], 0)), x.data + t * width, pass);
  else (*tables_.embedding())(tokens, x, pass);
  join(head.embedding_norm, head.state_norm, x, before, both, pass);
  project(both, tokens.size(), {{&head.projection, x.data}}, pass);
}

}  // namespace heed::nn

// A whole model written out in double from the papers' formulas, a token at a time, without caches or batches.
#pragma once

#include "unit/nn/naive/embedding.hpp"
#include "unit/nn/naive/stack.hpp"

namespace heed::test::naive {

/// The encoder's output for these tokens: one vector each.
inline Sequence hidden(const nn::EncoderSpec& spec, const Tensors& tensors, const std::vector<int>& tokens) {
  const Parameters parameters(tensors);
  return Stack(spec.stack, {}, spec.embedding.context_length,
               parameters)(embedding(spec.embedding, spec.stack, tokens, parameters));
}

/// Logits of every position, T x V, with a context of spec.embedding.context_length positions.
inline Vector logits(const nn::DecoderSpec& spec, const Tensors& tensors, const std::vector<int>& tokens,
                     const Sequence& encoded = {}) {
  const Parameters parameters(tensors);
  const Stack stack(spec.stack, encoded, spec.embedding.context_length, parameters);
  const std::string own = std::string(spec.stack.prefix) + "token_embd";
  const std::string tied = parameters.has(own + ".weight") ? own : "token_embd";
  const std::string head = parameters.has("output.weight") ? "output" : tied;
  const Sequence embedded = embedding(spec.embedding, spec.stack, tokens, parameters);
  Vector all;
  for (const Vector& x : stack(embedded, per_layer_inputs(spec.per_layer, spec.stack, tokens, embedded, parameters)))
    for (const double logit : parameters.linear(head, x)) all.push_back(capped(logit * spec.head.scale, spec.head.softcap));
  return all;
}

}  // namespace heed::test::naive

// Assistants of Gemma 4: small models that draft for it, and attend to the keys and values of its last two layers.
#include "models/drafts.hpp"

namespace heed::models {
namespace {

/// The layer whose keys and values the target's layer uses that is number `from_end` from the end (1: the last layer).
std::size_t keys_owner(const nn::StackSpec& target, std::size_t from_end) {
  if (target.layers.size() < from_end) return 0;
  const std::size_t layer = target.layers.size() - from_end;
  const nn::AttentionSpec* const attention = nn::self_attention(target.layers[layer]);
  return attention ? attention->keys_of.value_or(layer) : layer;
}

}  // namespace

nn::DraftSpec gemma4_assistant(const Hyperparameters& h, const nn::StackSpec& target) {
  nn::DraftSpec spec{.embedding = embedding(h), .stack = decoder(h, {}).stack, .assists = h.count("embedding_length_out")};
  spec.stack.layers = gemma4_layers(h);
  const auto local = h.counts("attention.sliding_window_pattern", spec.stack.layers.size());
  for_each_attention(spec.stack, [&](nn::AttentionSpec& attention, std::size_t i) {
    attention.mask = nn::Mask::earlier;
    attention.whole_tiles = false;
    attention.keys_of = keys_owner(target, local[i] ? 2 : 1);
  });
  return spec;
}

}  // namespace heed::models

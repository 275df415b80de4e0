// What families have in common: the shape of the stack, and how files describe RoPE.
#pragma once

#include "models/hyperparameters.hpp"
#include "nn/spec.hpp"

namespace heed::models {

/// Width, layers, vocabulary, context, heads and feed-forward size; norms and activations are the family's.
nn::DecoderSpec stack_shape(const Hyperparameters& h);

/// rope.* keys. Throws unsupported for a scaling type that Heed does not have.
nn::RopeSpec rope_spec(const Hyperparameters& h, nn::RopePairing pairing, std::size_t head_dim);

}  // namespace heed::models

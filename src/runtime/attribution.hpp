// Direct logit attribution (https://transformer-circuits.pub/2021/framework): which part of a logit the embedding, each head and each layer
// wrote into the residual stream. The final norm keeps the divisor that it has, so that the parts add up. What a head does through later
// layers is not in its part.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "runtime/changes/changes.hpp"
#include "runtime/requests.hpp"
#include "tokenizer/tokenizer.hpp"

namespace heed::runtime {

class Model;
class Workspace;

struct Attribution {
  double embedding = 0;                    // what enters layer 0
  std::vector<std::vector<double>> heads;  // of each layer, its heads of softmax attention; empty without
  std::vector<double> attention_bias;      // of each layer: of the attention's output matrix
  std::vector<double> mlp;                 // of each layer: all else that it adds
  double constant = 0;                     // of the final norm's bias and the head's
  double sum = 0;                          // of all: the logit, before a soft cap
  double logit = 0;                        // the model's own
};

/// What attribute() needs of a position: its states and what its heads give. Throws unsupported for a model without a decoder or with an
/// encoder, and for families in which the stream is not a sum of what was written: several streams, norms or factors of the stream itself,
/// gated heads.
std::vector<Request> attribution_requests(const Model& model, std::uint32_t position);

/// Where the logit of `token` comes from at the position that has been recorded, in a text that was read by these changes. What edits
/// change of a state is in the part of all else that its layer adds. Throws invalid_argument for a token outside the vocabulary.
Attribution attribute(Workspace& workspace, const Recorder& recorded, tokenizer::TokenId token, const Changes& changes = {});

}  // namespace heed::runtime

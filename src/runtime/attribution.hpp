// Direct logit attribution (https://transformer-circuits.pub/2021/framework): the parts of a logit that the embedding, each head
// and each layer wrote into the residual stream. The final norm's divisor is held constant, so that the parts add up. What a head
// does through later layers is not in its part.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "runtime/changes/changes.hpp"
#include "runtime/requests.hpp"
#include "tokenizer/tokenizer.hpp"

namespace heed::runtime {

class Model;
class Workspace;

struct Attribution {
  double embedding = 0;                                                // the state that enters layer 0
  std::vector<std::vector<double>> heads;                              // by layer: the part of each head; empty if it has none
  std::vector<double> attention_bias;                                  // by layer: the bias of the attention's output matrix
  std::vector<double> mlp;                                             // by layer: everything else that the layer adds
  double constant = 0;                                                 // the final norm's bias and the head's
  double sum = 0;                                                      // the sum of all parts: the logit before a soft cap
  double before_cap = 0;                                               // the logit before a soft cap, computed from the last state
  double logit = 0;                                                    // the logit as the model computed it
  std::vector<std::vector<std::pair<std::uint32_t, double>>> experts;  // by layer: the experts chosen, best first, and their parts
};

/// Requests for what attribute() reads at a position: states, inputs of the attention output matrices, and experts. Throws
/// unsupported for a model without a decoder or with an encoder, and for families whose residual stream is not a plain sum: several
/// streams, norms or factors on the stream itself.
std::vector<Request> attribution_requests(const Model& model, std::uint32_t position);

/// The parts of the logit of `token` at the recorded position, in a text read with these changes. A state edit counts as part of
/// the layer's `mlp`. against: a second token, whose logit is subtracted. Throws invalid_argument for a token outside the
/// vocabulary.
Attribution attribute(Workspace& workspace, const Recorder& recorded, tokenizer::TokenId token, const Changes& changes = {},
                      std::optional<tokenizer::TokenId> against = {});

}  // namespace heed::runtime

// Direct logit attribution (https://transformer-circuits.pub/2021/framework): which part of a logit the embedding, each head and each layer
// wrote into the residual stream. The final norm keeps the divisor that it has, so that the parts add up. What a head does through later
// layers is not in its part.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "nn/head_receiver.hpp"
#include "nn/state_receiver.hpp"
#include "runtime/changes/changes.hpp"
#include "runtime/probe.hpp"
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

/// Collects what attribution needs of one position. What edits change of a state is in the part of all else that its layer adds.
class AttributionProbe final : public Probe, public nn::StateReceiver, public nn::HeadReceiver {
 public:
  /// Throws unsupported for a model without a decoder or with an encoder, and for families in which the stream is not a sum of what was
  /// written: several streams, norms or factors of the stream itself, gated heads.
  AttributionProbe(const Model& model, std::size_t position);

  std::size_t position() const noexcept { return position_; }
  void watch(nn::Segment& segment) override;
  void record(std::size_t depth, std::size_t position, std::size_t count, std::size_t width, const float* states) noexcept override;
  void record(std::size_t layer, std::size_t position, std::size_t count, std::size_t heads, std::size_t dim,
              const float* outputs) noexcept override;

  /// Where the logit of `token` comes from. Throws invalid_argument for a token outside the vocabulary. The
  /// position must have run, by these changes.
  Attribution attribute(Workspace& workspace, tokenizer::TokenId token, const Changes& changes = {}) const;

 private:
  std::size_t position_;
  std::vector<std::vector<float>> states_;  // by depth
  std::vector<std::vector<float>> heads_;   // of each layer: heads x dim, or empty
};

}  // namespace heed::runtime

// The decoder stack: embedding, layers of sublayers, norm, head.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

#include "nn/attention.hpp"
#include "nn/embedding.hpp"
#include "nn/mlp.hpp"
#include "nn/norm.hpp"

namespace heed::nn {

/// x += mix(norm(x))
class Sublayer {
 public:
  using Mix = std::variant<Attention, Mlp>;
  Sublayer(Norm pre_norm, Mix mix) : pre_norm_(std::move(pre_norm)), mix_(std::move(mix)) {}

  void operator()(Activations x, Pass& pass) const noexcept;

 private:
  Norm pre_norm_;
  Mix mix_;
};

using Layer = std::array<Sublayer, 2>;  // attention, MLP

class Decoder {
 public:
  /// Asks for every tensor of the architecture. Throws invalid_file for one that is missing or misshapen.
  Decoder(const DecoderSpec& spec, Weights& weights);

  const DecoderSpec& spec() const noexcept { return spec_; }
  const kernels::Kernels& kernels() const noexcept { return kernels_; }

  /// Runs the pass's tokens through the stack. logits: rows x V, for the last `rows` tokens. False if it was cancelled.
  bool forward(Pass& pass, float* logits, std::size_t rows) const noexcept;

 private:
  const kernels::Kernels& kernels_;
  DecoderSpec spec_;
  Embedding embedding_;
  std::unique_ptr<Rope> rope_;  // shared by the layers; at an address of its own, so that they may point to it
  std::vector<Layer> layers_;
  Norm final_norm_;
  std::optional<Linear> head_;  // V x D; absent where it is tied to the embedding
};

}  // namespace heed::nn

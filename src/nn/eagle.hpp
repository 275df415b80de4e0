// EAGLE-3 (arXiv:2503.01840): one layer whose attention reads a token's embedding and a mixture of the inputs of several decoder
// layers, concatenated. It may draft only some tokens of the vocabulary.
#pragma once

#include <optional>

#include "nn/drafts.hpp"

namespace heed::nn {

class Eagle final : public Drafts {
 public:
  /// Takes fc, attn_norm_2 and the layer's tensors, output_norm, output with d2t, and token_embd; the last two may be the
  /// decoder's.
  Eagle(const DraftSpec& spec, std::size_t context_length, Weights& weights, const Decoder& decoder);

  ScratchNeed need(const PassLimits& limits) const override;
  void mix(const float* handed, std::size_t tokens, float* rows, Pass& pass) const noexcept override;
  void remember(std::span<const std::int32_t> tokens, const float* before, Pass& pass) const noexcept override;
  void forward(std::size_t head, std::span<const std::int32_t> tokens, const float* before, float* handed, float* logits,
               Pass& pass) const noexcept override;

 private:
  /// both: T x 2D, the normalized embedding and the normalized row of the position before.
  void enter(std::span<const std::int32_t> tokens, const float* before, Activations both, Pass& pass) const noexcept;

  Linear mixture_;  // D x features
  std::optional<Norm> features_norm_;
  Norm embedding_norm_, state_norm_, final_norm_;
  Stack stack_;
  Buffer<float> ids_;  // the token of each row of the output matrix, as a 64-bit integer in two floats; or empty
};

}  // namespace heed::nn

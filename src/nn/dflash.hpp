// DFlash (arXiv:2602.06036): one pass drafts a block of tokens, each in the place of a mask token. Its layers attend to the whole
// block, and to keys and values that each layer computes from a mixture of the inputs of several decoder layers.
#pragma once

#include "nn/drafts.hpp"

namespace heed::nn {

class DFlash final : public Drafts {
 public:
  /// Takes fc, enc.output_norm, the layers and output_norm; output and token_embd may be the decoder's.
  DFlash(const DraftSpec& spec, std::size_t context_length, Weights& weights, const Decoder& decoder);

  ScratchNeed need(const PassLimits& limits) const override;
  void mix(const float* handed, std::size_t tokens, float* rows, Pass& pass) const noexcept override;
  void remember(std::span<const std::int32_t> tokens, const float* rows, Pass& pass) const noexcept override;
  void forward(std::size_t head, std::span<const std::int32_t> tokens, const float* before, float* handed, float* logits,
               Pass& pass) const noexcept override;

 private:
  Linear mixture_;  // D x features
  Norm mixture_norm_;
  Stack stack_;
};

}  // namespace heed::nn

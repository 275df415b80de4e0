// A small stack that drafts for a decoder from its last row and a token, and attends to the keys and values that the decoder has stored
// (Gemma 4's assistant).
#pragma once

#include "nn/decoder.hpp"

namespace heed::nn {

class Assistant {
 public:
  /// Takes the layers, nextn.pre_projection, nextn.post_projection, output_norm and token_embd.
  Assistant(const DraftSpec& spec, std::size_t context_length, Weights& weights);

  static ScratchNeed need(const DraftSpec& spec, const PassLimits& limits);

  const DraftSpec& spec() const noexcept { return spec_; }

  /// For the one token of the pass, whose segment has the decoder's cache. before: the decoder's row of the position before, or what the
  /// last step handed on; handed: the same for the next step, may be `before`. logits: V.
  void forward(std::int32_t token, const Embedding& embedding, const float* before, float* handed, float* logits,
               Pass& pass) const noexcept;

 private:
  DraftSpec spec_;
  Linear pre_, post_;  // d x 2D, D x d
  Linear table_;       // V x d
  Stack stack_;
};

}  // namespace heed::nn

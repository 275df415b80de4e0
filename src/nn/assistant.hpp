// A small stack that drafts for a decoder (Gemma 4's assistant): it reads the decoder's last row and a token, and attends to the
// decoder's KV cache.
#pragma once

#include "nn/decoder.hpp"

namespace heed::nn {

class Assistant {
 public:
  /// Takes the layers, nextn.pre_projection, nextn.post_projection, output_norm and token_embd.
  Assistant(const DraftSpec& spec, std::size_t context_length, Weights& weights);

  static ScratchNeed need(const DraftSpec& spec, const PassLimits& limits);

  const DraftSpec& spec() const noexcept { return spec_; }

  /// Drafts the token after `token`, the pass's only one; its segment has the decoder's KV cache. before: D, the decoder's row for
  /// the previous position, or `handed` of the previous step. handed: D, receives the next step's `before`; may be the same memory.
  /// logits: V.
  void forward(std::int32_t token, const Embedding& embedding, const float* before, float* handed, float* logits,
               Pass& pass) const noexcept;

 private:
  DraftSpec spec_;
  Linear pre_, post_;  // d x 2D, D x d
  Linear table_;       // V x d
  Stack stack_;
};

}  // namespace heed::nn

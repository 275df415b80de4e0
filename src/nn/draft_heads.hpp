// Heads that propose the tokens after the next one (multi-token prediction, arXiv:2404.19737): each is a layer that reads a token's
// embedding, joined with the row that the decoder or the previous head computed for the previous position.
#pragma once

#include <optional>
#include <vector>

#include "nn/drafts.hpp"

namespace heed::nn {

class DraftHeads final : public Drafts {
 public:
  /// Takes the heads' layers, and nextn.eh_proj, enorm and hnorm of each; shared_head_norm, embed_tokens and shared_head_head if
  /// the file has them. Heads that lack these use those of `decoder`, which must outlive this object; if it is nullptr, those of
  /// the decoder in the same file.
  DraftHeads(const DraftSpec& spec, std::size_t context_length, Weights& weights, const Decoder* decoder);

  static ScratchNeed need_of(const DraftSpec& spec, const PassLimits& limits);
  ScratchNeed need(const PassLimits& limits) const override { return need_of(spec_, limits); }
  void remember(std::span<const std::int32_t> tokens, const float* before, Pass& pass) const noexcept override;
  void forward(std::size_t head, std::span<const std::int32_t> tokens, const float* before, float* handed, float* logits,
               Pass& pass) const noexcept override;

 private:
  struct Head {
    Norm embedding_norm, state_norm, final_norm;
    Linear projection;                    // D x 2D
    std::optional<Linear> table, output;  // V x D; absent if the decoder's are used
  };
  void enter(const Head& head, std::span<const std::int32_t> tokens, const float* before, Activations x, Pass& pass) const noexcept;

  Stack stack_;
  std::vector<Head> heads_;
};

}  // namespace heed::nn

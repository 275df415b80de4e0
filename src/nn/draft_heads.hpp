// Heads that propose the tokens after the next one (multi-token prediction, arXiv:2404.19737): each is a layer that reads a token's
// embedding beside what the decoder, or the head before, computed for the position before.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "nn/decoder.hpp"

namespace heed::nn {

class DraftHeads {
 public:
  /// Takes the heads' layers, and nextn.eh_proj, enorm and hnorm of each; shared_head_norm, embed_tokens and shared_head_head if the
  /// file has them. Otherwise they use those of `decoder`, which must outlive this object, or, if it is nullptr, of the same file.
  DraftHeads(const DraftSpec& spec, std::size_t context_length, Weights& weights, const Decoder* decoder);

  /// Uses the decoder's tables, as Decoder::share does.
  std::uint64_t share(const Decoder& decoder) noexcept;

  static ScratchNeed need(const DraftSpec& spec, const PassLimits& limits);
  /// The layout of a sequence's keys and values of all heads.
  static std::vector<CacheLayer> cache_layers(const DraftSpec& spec) { return Stack::cache_layers(spec.stack); }

  const DraftSpec& spec() const noexcept { return spec_; }
  std::size_t count() const noexcept { return heads_.size(); }

  /// Stores the keys and values of all heads for tokens, given the decoder's rows for the positions before them (T x D).
  void remember(std::span<const std::int32_t> tokens, const float* before, Pass& pass) const noexcept;

  /// Runs one head. before: as above, or the rows of another head. handed: T x D, its own rows for the next step; may be `before`.
  /// logits: V, of the last token.
  void forward(std::size_t head, std::span<const std::int32_t> tokens, const float* before, float* handed, float* logits,
               Pass& pass) const noexcept;

 private:
  struct Head {
    Norm embedding_norm, state_norm, final_norm;
    Linear projection;                         // D x 2D
    std::optional<Linear> table, output;       // V x D, if they are its own
  };
  void enter(const Head& head, std::span<const std::int32_t> tokens, const float* before, Activations x, Pass& pass) const noexcept;

  DraftSpec spec_;
  std::optional<Embedding> own_embedding_;
  std::optional<Linear> own_output_;
  const Embedding* embedding_;
  const Linear* output_;  // nullptr: the embedding's table
  Stack stack_;
  std::vector<Head> heads_;
};

}  // namespace heed::nn

// What drafts for a decoder from its rows, with keys and values of its own: heads, EAGLE or DFlash.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "nn/decoder.hpp"

namespace heed::nn {

/// The tables between tokens and rows: those of the drafts' own file, otherwise those of a decoder.
struct DraftTables {
  std::optional<Embedding> own_embedding = {};
  std::optional<Linear> own_output = {};
  const Decoder* decoder = nullptr;  // has what the file lacks

  const Embedding* embedding() const noexcept {
    return own_embedding ? &*own_embedding : decoder ? &decoder->embedding() : nullptr;
  }
  const Linear* output() const noexcept { return own_output ? &*own_output : decoder ? &decoder->head() : nullptr; }
};

class Drafts {
 public:
  explicit Drafts(const DraftSpec& spec) : spec_(spec) {}
  virtual ~Drafts() = default;

  const DraftSpec& spec() const noexcept { return spec_; }
  /// Steps of a draft, if each has a head of its own; otherwise 1.
  std::size_t heads() const noexcept { return spec_.block ? 1 : spec_.stack.layers.size(); }
  /// The most tokens that a pass drafts at once; 0 if each takes a step.
  std::size_t most_at_once() const noexcept { return spec_.block ? spec_.block->size - 1 : 0; }
  /// The layers read, for each token, the row of so many positions before it.
  std::size_t lag() const noexcept { return spec_.eagle ? 1 : 0; }
  /// The layout of a sequence's keys and values.
  std::vector<CacheLayer> cache_layers() const { return Stack::cache_layers(spec_.stack); }
  /// Uses the decoder's tables, as Decoder::share does.
  std::uint64_t share(const Decoder& decoder) noexcept;
  virtual ScratchNeed need(const PassLimits& limits) const = 0;

  /// rows: T x D of this, made from what the decoder hands on, unless that is it (EagleSpec).
  virtual void mix(const float* /*handed*/, std::size_t /*tokens*/, float* /*rows*/, Pass& /*pass*/) const noexcept {}
  /// Stores the keys and values of all heads for tokens, given the rows of the positions before them (T x D), or their own if a pass
  /// drafts several.
  virtual void remember(std::span<const std::int32_t> tokens, const float* rows, Pass& pass) const noexcept = 0;
  /// Runs one head. If a pass drafts several, tokens: the last one of the text, and masks, which are the group of the segment. Then
  /// before and handed are not used, and logits are those of each mask. Otherwise before: as above, or what a step before has
  /// handed on. handed: T x D, for the next step; may be `before`. logits: V, of the last token; tokens that are never drafted are
  /// impossible, and logits that the pass does not read (Pass::read) may be left as they are.
  virtual void forward(std::size_t head, std::span<const std::int32_t> tokens, const float* before, float* handed, float* logits,
                       Pass& pass) const noexcept = 0;

 protected:
  /// Takes the tables that the file has, with so many rows of `output`; the others are those of `decoder`, if these fit.
  void take_tables(Weights& weights, const Decoder& decoder, std::size_t outputs);

  /// Puts the norms of tokens' embeddings and of the rows before them (T x D each) side by side: T x 2D.
  static void join(const Norm& embedding_norm, const Norm& state_norm, Activations embedded, const float* before, float* both,
                   Pass& pass) noexcept;

  DraftSpec spec_;
  DraftTables tables_;
};

/// Takes the tensors of the spec's kind (nn/draft_heads.hpp, nn/eagle.hpp, nn/dflash.hpp). What the file lacks of the decoder's tables
/// is taken from `decoder`, which must outlive the result; heads in the decoder's own file share its tables.
std::unique_ptr<Drafts> make_drafts(const DraftSpec& spec, std::size_t context_length, Weights& weights, const Decoder& decoder,
                                    bool own_file);

}  // namespace heed::nn

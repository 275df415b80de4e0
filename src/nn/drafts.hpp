// The interface of models that draft for a decoder from its rows, with their own KV cache: heads, EAGLE or DFlash.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "nn/decoder.hpp"

namespace heed::nn {

/// The token embedding and the output matrix: of the drafts' own file if it has them, otherwise of a decoder.
struct DraftTables {
  std::optional<Embedding> own_embedding = {};
  std::optional<Linear> own_output = {};
  const Decoder* decoder = nullptr;  // provides the tables that the file lacks

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
  /// The number of heads, each for one step of a draft; 1 for a DraftBlockSpec, whose layers all run in one step.
  std::size_t heads() const noexcept { return spec_.block ? 1 : spec_.stack.layers.size(); }
  /// The maximum number of tokens that one pass drafts together; 0 if each token takes a pass.
  std::size_t most_at_once() const noexcept { return spec_.block ? spec_.block->size - 1 : 0; }
  /// How far before its own position a token is cached: EAGLE gives a token the position of the decoder's row that it reads, the
  /// one before.
  std::size_t lag() const noexcept { return spec_.eagle ? 1 : 0; }
  /// The layout of a sequence's keys and values.
  std::vector<CacheLayer> cache_layers() const { return Stack::cache_layers(spec_.stack); }
  /// Replaces tables by the decoder's if they are equal, as Decoder::share does.
  std::uint64_t share(const Decoder& decoder) noexcept;
  virtual ScratchNeed need(const PassLimits& limits) const = 0;

  /// Computes rows (T x D, D of the drafts) from the rows that the decoder hands on. Does nothing if the heads read these
  /// unchanged.
  virtual void mix(const float* /*handed*/, std::size_t /*tokens*/, float* /*rows*/, Pass& /*pass*/) const noexcept {}
  /// Stores the keys and values of all heads for tokens. rows: T x D, those of the positions before the tokens or, if a pass drafts
  /// several tokens, those of the tokens themselves.
  virtual void remember(std::span<const std::int32_t> tokens, const float* rows, Pass& pass) const noexcept = 0;
  /// Runs one head. If a pass drafts one token: before: T x D, the rows of the positions before, or `handed` of the previous step;
  /// handed: T x D, receives `before` of the next step, may be the same memory; logits: V, for the token after the last one,
  /// -infinity for tokens that are never drafted. If a pass drafts several: tokens: the text's last one, then masks, which form the
  /// segment's group; logits: V for each mask; `before` and `handed` are not used. Logits that the pass does not read (Pass::read)
  /// may stay unwritten.
  virtual void forward(std::size_t head, std::span<const std::int32_t> tokens, const float* before, float* handed, float* logits,
                       Pass& pass) const noexcept = 0;

 protected:
  /// Takes the tables that the file has (its output matrix has `outputs` rows), and the others from `decoder`, if they fit.
  void take_tables(Weights& weights, const Decoder& decoder, std::size_t outputs);

  /// Writes to `both`, T x 2D, each token's normalized embedding, then the normalized row of the position before (T x D each).
  static void join(const Norm& embedding_norm, const Norm& state_norm, Activations embedded, const float* before, float* both,
                   Pass& pass) noexcept;

  DraftSpec spec_;
  DraftTables tables_;
};

/// Takes the tensors of the spec's kind (nn/draft_heads.hpp, nn/eagle.hpp, nn/dflash.hpp). Tables that the file lacks are those of
/// `decoder`, which must outlive the result; heads in the decoder's own file share its tables.
std::unique_ptr<Drafts> make_drafts(const DraftSpec& spec, std::size_t context_length, Weights& weights, const Decoder& decoder,
                                    bool own_file);

}  // namespace heed::nn

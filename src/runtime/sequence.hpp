// A sequence: tokens that a decoder has run on, with their keys and values; and passes that extend several sequences.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "nn/kv_cache.hpp"
#include "runtime/changes/changes.hpp"
#include "runtime/drafts/memory.hpp"
#include "runtime/pictures/placed_tiles.hpp"
#include "runtime/recorder.hpp"
#include "runtime/workspace.hpp"

namespace heed::runtime {

using tokenizer::TokenId;

/// A copy has the same tokens and continues independently; the two share memory until one of them changes.
class Sequence {
 public:
  /// An empty sequence. Throws unsupported for a model without a decoder. The workspace must outlive it.
  explicit Sequence(Workspace& workspace);

  Workspace& workspace() const noexcept { return *workspace_; }
  const Model& model() const noexcept { return workspace_->model(); }
  /// The tokens whose keys and values are cached.
  std::span<const TokenId> tokens() const noexcept { return tokens_; }
  /// The images and sounds among the tokens.
  const PlacedTiles& tiles() const noexcept { return tiles_; }
  std::size_t context_length() const noexcept { return model().info().context_length; }  // maximum number of tokens
  /// Bytes of keys, values and states. Memory shared by several sequences counts in equal parts.
  std::uint64_t share_bytes() const noexcept {
    return cache_.share_bytes() + (cross_cache_ ? cross_cache_->share_bytes() : 0) +
           (drafts_.cache ? drafts_.cache->share_bytes() : 0);
  }
  /// Whether truncating by a few tokens keeps exactly the requested length.
  bool truncates_exactly() const noexcept { return !workspace_->decoder_caches()->has_state(); }
  /// Allocates memory for recurrent states, so that the last `count` tokens of a pass can be dropped exactly
  /// (ForwardInput::guesses). Returns how many tokens there is memory for.
  std::size_t reserve_guesses(std::size_t count) noexcept;
  /// Frees the memory of reserve_guesses().
  void release_guesses() noexcept { cache_.free_kept_states(); }
  DraftMemory& drafts() noexcept { return drafts_; }
  nn::KvCache& cache() noexcept { return cache_; }

  /// The interventions that it is processed with.
  const Changes& changes() const noexcept { return changes_; }
  /// Sets the interventions for the next tokens; they must be placed(). Drops tokens from the first one on that they affect
  /// differently. Throws unsupported for changes of a model with an encoder.
  void change(Changes changes);

  /// Drops the tokens from position `length` on. Drops more if layers have a recurrent state (back to the last position at which it
  /// was saved), or for a tile whose rows attend to each other (the whole tile). If a layer's window no longer reaches back far
  /// enough, drops all.
  void truncate(std::size_t length) noexcept;

  /// Allocates contiguous memory for a text of `length` tokens, which attention reads faster. Without it, memory is allocated as
  /// tokens arrive. Throws out_of_memory.
  void reserve(std::size_t length);
  /// From now on, passes start at this layer (forward()), so that keys and values of layers before it are not copied.
  void start_at(std::size_t layer) noexcept { cache_.start_at(layer); }
  /// Allocates memory for the next `count` tokens. Throws out_of_memory; the sequence is then unchanged.
  void make_room(std::size_t count);

  /// Drops all tokens, and attends to the vectors of an encoder from now on. Requires an encoder-decoder. Throws out_of_memory.
  void attend_to(std::span<const float> hidden);

  /// Appends the cache to `saved`, in a form that does not depend on the kernel target; the tokens are not saved.
  void save(std::vector<std::byte>& saved) const {
    cache_.save(saved, model().kernels(), model().pool());
    drafts_.save(saved, tokens_.size(), model().kernels(), model().pool());
  }
  /// Restores a saved sequence of `tokens` into an empty one; returns the number of bytes read. Throws out_of_memory, and
  /// std::out_of_range if the bytes are not what save() writes for this number of tokens.
  std::size_t load(std::span<const std::byte> saved, std::span<const TokenId> tokens);

  /// Runs the model on `tokens` (1 to kMaxBatch) and appends them. Ids below 0 are rows of images, which the caller must keep alive
  /// until then; if rows of a tile attend to each other, `tokens` contains whole tiles, or a single one that is longer than
  /// kMaxBatch. logits: rows x V, for the last `rows` tokens; may be empty. `recorder`, if any, records the pass. The results have
  /// the same bits however a sequence is divided into passes, whatever other sequences are in a pass, and on any number of threads.
  /// Returns false if the pass was interrupted. Throws context_overflow if the context length is exceeded, invalid_argument for a
  /// token outside the vocabulary, and unsupported for edits that cut attention together with such tiles. In these cases the
  /// sequence is unchanged.
  bool forward(std::span<const TokenId> tokens, std::span<float> logits, Recorder* recorder = nullptr);
  /// How many of the given tokens the next pass takes: at most kMaxBatch. A whole tile that does not fit waits for a later pass, or
  /// is taken alone if it comes first. Throws invalid_argument for rows of no image.
  std::size_t next_pass(std::span<const TokenId> tokens) const;

 private:
  friend bool forward(Workspace& workspace, std::span<const struct ForwardInput> inputs, std::span<float> logits,
                      std::size_t first_layer, std::span<const TokenId> read);

  Workspace* workspace_;
  nn::KvCache cache_;
  std::optional<nn::KvCache> cross_cache_;  // attention to an encoder's output
  std::size_t encoder_positions_ = 0;
  std::vector<TokenId> tokens_;
  PlacedTiles tiles_;
  Changes changes_;
  DraftMemory drafts_;
};

/// The part of a pass that belongs to one sequence.
struct ForwardInput {
  Sequence* sequence;
  std::span<const TokenId> tokens;  // at least one
  std::size_t rows = 0;             // rows of logits, for the last tokens
  Recorder* recorder = nullptr;
  std::size_t guesses = 0;             // how many of the last tokens truncate() must be able to drop exactly; fewer than all
  std::span<const float> states = {};  // input of the pass's first layer, tokens x D, if that is not layer 0
};

/// Throws unsupported for changes that cut attention if there are tiles whose rows attend to each other.
void check_cuts(const PlacedTiles& tiles, const Changes& changes);

/// Sequence::forward for several sequences in one pass: at most info().parallel of the workspace, all different, and at most
/// kMaxBatch tokens. logits: rows x V of all inputs, in their order. first_layer: the layers before it do not run, so that a
/// sequence that was extended in this way can only be extended from this layer on. read: the tokens whose logits are needed, all if
/// it is empty; other logits may be left unwritten. Returns false if the pass was interrupted: no sequence has changed.
bool forward(Workspace& workspace, std::span<const ForwardInput> inputs, std::span<float> logits, std::size_t first_layer = 0,
             std::span<const TokenId> read = {});

}  // namespace heed::runtime

// A sequence of tokens that a decoder has read, and passes over several of them.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "nn/kv_cache.hpp"
#include "runtime/probe.hpp"
#include "runtime/workspace.hpp"

namespace heed::runtime {

using tokenizer::TokenId;

class EncoderRun;

/// A copy is a sequence of its own that begins alike. It shares all memory with the first until one of them goes on.
class Sequence {
 public:
  /// An empty one. Throws unsupported for a model without a decoder. The workspace must outlive it.
  explicit Sequence(Workspace& workspace);

  Workspace& workspace() const noexcept { return *workspace_; }
  const Model& model() const noexcept { return workspace_->model(); }
  /// The tokens whose keys and values are kept.
  std::span<const TokenId> tokens() const noexcept { return tokens_; }
  std::size_t capacity() const noexcept { return model().info().context; }  // positions there is room for
  /// Bytes of keys, values and states; those that several sequences share count in equal parts.
  std::uint64_t share() const noexcept { return cache_.share() + (memory_ ? memory_->share() : 0); }
  /// Whether truncate() stops just where it is asked to, a few tokens back.
  bool goes_back() const noexcept { return !workspace_->decoder_memory()->has_state(); }

  /// Forgets all tokens from position `length` on. Where layers see only a window, and that has moved on too far to go on
  /// from there, forgets all; where a layer keeps state of no position, as many as lie after the last one that is known.
  void truncate(std::size_t length) noexcept;

  /// Takes memory for a text of this many tokens at once: then it lies together, and attention reads long streams. Otherwise it
  /// is taken as tokens come. Throws out_of_memory.
  void expect(std::size_t length);
  /// Takes memory for the next `count` tokens. Throws out_of_memory; the sequence stays as it was.
  void make_room(std::size_t count);

  /// Forgets all tokens, and attends to what was encoded last from now on, in a model with an encoder beside its decoder.
  /// Throws out_of_memory.
  void attend_to(const EncoderRun& encoded);

  /// All that it keeps, appended to `saved` in a form that no target owns, but for its tokens; and from there to an empty
  /// sequence, which is then that of these tokens. load() returns the number of bytes, and throws out_of_memory, and
  /// std::out_of_range where they are not what save() gives for so many tokens.
  void save(std::vector<std::byte>& saved) const { cache_.save(saved, model().kernels(), model().pool()); }
  std::size_t load(std::span<const std::byte> saved, std::span<const TokenId> tokens);

  /// Appends `tokens` (T of them, 1 to kMaxBatch) and runs the model on them. Logits are computed for the last
  /// logits.size() / V of them, into `logits` (rows x V); empty computes none. `probe`, if any, records them.
  /// Results do not depend on how a sequence is cut into batches, on what other sequences are in a pass, nor on the number of
  /// threads: the same bits. Throws context_overflow where capacity is exceeded, and invalid_argument for a token id outside
  /// the vocabulary; nothing has changed then. Returns false where the pass was interrupted: the tokens were not appended.
  bool forward(std::span<const TokenId> tokens, std::span<float> logits, Probe* probe = nullptr);

 private:
  friend bool forward(Workspace& workspace, std::span<const struct Reading> readings, std::span<float> logits);

  Workspace* workspace_;
  nn::KvCache cache_;
  std::optional<nn::KvCache> memory_;  // of an encoder's output
  std::size_t memory_positions_ = 0;
  std::vector<TokenId> tokens_;
};

/// What a sequence reads in a pass.
struct Reading {
  Sequence* sequence;
  std::span<const TokenId> tokens;  // at least one
  std::size_t rows = 0;             // of logits, for the last tokens
  Probe* probe = nullptr;
};

/// Sequence::forward for several in one pass: at most info().parallel different sequences of the workspace, and kMaxBatch
/// tokens. logits: the rows of all readings in their order, each of V. False where it was interrupted: none has changed.
bool forward(Workspace& workspace, std::span<const Reading> readings, std::span<float> logits);

}  // namespace heed::runtime

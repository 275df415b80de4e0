// Proposes the next tokens of texts by computing with weights: the model's own heads, an assistant, or a small model. The model
// verifies them, so they change the speed but never the text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "nn/pass.hpp"
#include "runtime/drafts/memory.hpp"
#include "tokenizer/tokenizer.hpp"

namespace heed::runtime {

class Sequence;

enum class DraftStart : std::uint8_t {
  ready,
  later,  // it has not read enough of the text yet
  never,  // it cannot draft in this text
};

class Drafter {
 public:
  static constexpr std::size_t kMost = 8;  // tokens of a draft

  virtual ~Drafter() = default;

  /// The most tokens of one draft.
  virtual std::size_t most() const noexcept { return kMost; }
  /// Whether a draft is made by one pass, so that its length affects all of its tokens.
  virtual bool at_once() const noexcept { return false; }
  /// The draft memory of an empty sequence.
  virtual DraftMemory memory() { return {}; }
  /// follows(): whether it is given the decoder's rows after each pass (follow()). takes_normed(): after the final norm, not
  /// before.
  virtual bool follows() const noexcept { return false; }
  virtual bool takes_normed() const noexcept { return true; }
  /// If not empty: passes hand on the inputs of these layers instead of the decoder's rows (nn::Pass::hands_inputs).
  virtual std::span<const std::size_t> takes_inputs() const noexcept { return {}; }
  /// Called after a pass that has succeeded, with the draft memory of each segment's sequence.
  virtual void follow(std::span<const tokenizer::TokenId> /*tokens*/, const nn::Pass& /*pass*/,
                      std::span<DraftMemory* const> /*memories*/) {}

  /// From now on, chooses only among tokens that are frequent or were seen lately, to save time, as long as these suffice.
  virtual void use_shortlist() {}

  /// Begins a draft of at most `most` tokens after `text`, whose last token the sequence has not processed. Ends the previous
  /// draft.
  virtual DraftStart begin(Sequence& sequence, std::span<const tokenizer::TokenId> text, std::size_t most) = 0;
  /// The logits (V) of the token after `id`. In the first call, `id` is the last token of the text; in later calls, the token
  /// drafted last. Valid until the next call.
  virtual std::span<const float> next(tokenizer::TokenId id) = 0;

  /// Bytes in addition to the memory of sequences and of the model.
  virtual std::uint64_t bytes() const noexcept = 0;
};

}  // namespace heed::runtime

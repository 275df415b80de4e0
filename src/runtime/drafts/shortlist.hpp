// A shortlist: where logits of the whole vocabulary would take too long, drafts choose among frequent tokens (as in FR-Spec,
// arXiv:2502.14856) and the tokens of the texts so far. It affects guesses only, never a text.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "nn/pass.hpp"
#include "runtime/drafts/share.hpp"
#include "tokenizer/tokenizer.hpp"

namespace heed::runtime {

class Shortlist {
 public:
  /// The list consists of whole panels of the matrix (kernels::Kernels::panel_rows). It has the first 1 / kPart of the
  /// vocabulary's panels, whose tokens are frequent, because most vocabularies are made by merging the most frequent pair; and
  /// equally many panels of the tokens seen last.
  Shortlist(std::size_t vocabulary, std::size_t panel_rows);

  /// Adds tokens that were read or written. `written`: also counts how many of them were already in the list (suffices()).
  void see(std::span<const tokenizer::TokenId> tokens, bool written);
  /// Whether enough written tokens were in the list that it pays to choose among the list only.
  bool suffices() const noexcept { return covered_.value() >= kLeastCovered; }
  std::span<const nn::PanelRange> panels() const noexcept { return ranges_; }

 private:
  static constexpr std::size_t kPart = 16;
  /// If a step over the whole vocabulary takes a third of a pass's time, and one over the list a twentieth, both draft equally well
  /// when a little over half of the tokens are in the list.
  static constexpr double kLeastCovered = 0.65;

  std::size_t panel_of(tokenizer::TokenId id) const noexcept { return static_cast<std::size_t>(id) / panel_rows_; }

  std::size_t panel_rows_;
  std::vector<bool> listed_;            // whether each panel is listed
  std::vector<nn::PanelRange> ranges_;  // the frequent tokens, then the tokens seen last, one panel each
  std::size_t first_, most_;            // first_: index of the first range of tokens seen last; most_: their maximum number
  std::size_t next_ = 0;                // index, among these, of the oldest, which is replaced next once there are most_
  Share covered_{3, 4};
};

}  // namespace heed::runtime

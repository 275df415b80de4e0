// The tokens among which drafts choose if the product with the whole vocabulary takes too long: frequent ones (as in FR-Spec,
// arXiv:2502.14856), and those of the texts so far. Only guesses depend on it.
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
  /// The list consists of whole panels of the matrix (kernels::Kernels::panel_rows). It has the first panels of the vocabulary, one
  /// in kPart of all, whose tokens are frequent, because most vocabularies are made by merging the most frequent pair; and as many
  /// of the panels whose tokens it has seen last.
  Shortlist(std::size_t vocabulary, std::size_t panel_rows);

  /// Tokens that were read or written. `written`: these say how many of a text's tokens are in the list before they are written.
  void see(std::span<const tokenizer::TokenId> tokens, bool written);
  /// Whether so many are that it is worth choosing among these alone.
  bool suffices() const noexcept { return covered_.value() >= kLeastCovered; }
  std::span<const nn::PanelRange> panels() const noexcept { return ranges_; }

 private:
  static constexpr std::size_t kPart = 16;
  /// If a step over the whole vocabulary takes a third of a pass's time, and one over the list a twentieth, both draft equally well
  /// when a little over half of the tokens are in the list.
  static constexpr double kLeastCovered = 0.65;

  std::size_t panel_of(tokenizer::TokenId id) const noexcept { return static_cast<std::size_t>(id) / panel_rows_; }

  std::size_t panel_rows_;
  std::vector<bool> listed_;            // by panel
  std::vector<nn::PanelRange> ranges_;  // the frequent ones, then the others, one by one
  std::size_t first_, most_;            // of the others; and how many there may be
  std::size_t next_ = 0;                // the one to replace, once there are so many
  Share covered_{3, 4};
};

}  // namespace heed::runtime

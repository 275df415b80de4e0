// The drafts of one text: when to draft, how many tokens, and how many of them were right.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "runtime/drafts/draft_worth.hpp"
#include "runtime/drafts/drafter.hpp"

namespace heed::runtime {

class Workspace;

/// The best token, and its probability in a softmax over the ten best.
struct BestToken {
  tokenizer::TokenId id;
  double probability;
};
BestToken best_of_ten(std::span<const float> logits) noexcept;

class Drafting {
 public:
  Drafting(Drafter& drafter, Workspace& workspace);
  /// Leaves what it has learned to the next text.
  ~Drafting();
  Drafting(const Drafting&) = delete;
  Drafting& operator=(const Drafting&) = delete;

  /// Whether there has been a decision since the last verify().
  bool done() const noexcept { return done_; }
  /// Decides whether to draft, and drafts at most `most` tokens after the text. `open`: as in DraftWorth::begins(). `fixed`: draft
  /// exactly this many, or as many as possible. `repeated`: the probability of a guess from repetitions, which costs nothing.
  /// Returns false if drafts are not possible in this text.
  bool draft(Sequence& sequence, std::span<const tokenizer::TokenId> text, std::size_t most, std::size_t others, bool open,
             std::optional<std::size_t> fixed, double repeated);
  std::span<const Guess> drafted() const noexcept { return drafted_; }
  /// Whether the guesses of a pass are a draft, or the beginning of one.
  bool proposed(std::span<const tokenizer::TokenId> guesses) const noexcept {
    return !guesses.empty() && !drafted_.empty() && guesses[0] == drafted_[0].id;
  }
  /// How many of the drafted tokens must run, whether that pays or not.
  std::size_t due() const noexcept { return due_; }
  /// Learns from the tokens that the model chose, and drops the draft.
  void verify(std::span<const tokenizer::TokenId> chosen);

 private:
  Drafter& drafter_;
  Workspace& workspace_;
  DraftWorth worth_;
  std::vector<Guess> drafted_;
  std::vector<double> confidences_;
  std::size_t due_ = 0;
  bool done_ = false;
};

}  // namespace heed::runtime

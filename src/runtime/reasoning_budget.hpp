// Limits how long a model reasons before it answers: after a number of tokens, the text that ends the reasoning is written for it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "tokenizer/tokenizer.hpp"

namespace heed::runtime {

/// What the reasoning of a text may cost, and between which markers it is.
struct ReasoningBudget {
  bool begun = false;                      // whether the prompt has opened it
  std::string open;                        // a marker; opens it in the generated text
  std::vector<std::string> closes;         // markers; any of them closes it
  std::size_t max_tokens = 0;              // between the markers, in all of the text
  std::vector<tokenizer::TokenId> ending;  // what then follows: a message, if wanted, and a closing marker
};

/// Follows the generated tokens of one text, and says which token is due. A marker that is a control token of the vocabulary is found only
/// as this token. Any other marker is found by its text: one that opens only at the beginning, since an answer may quote it.
///
///     ReasoningLimit limit(budget, tokenizer);
///     const TokenId id = limit.due(decoder.holds()).value_or(sampled);
///     limit.accept(id);
class ReasoningLimit {
 public:
  /// `tokenizer` must outlive this. Throws invalid_argument for an empty marker, and without an ending.
  ReasoningLimit(ReasoningBudget budget, const tokenizer::Tokenizer& tokenizer);

  /// The token that must come next, if the budget is spent. `within_character`: whether the text ends within a character, which
  /// may still be completed, in at most three tokens.
  std::optional<tokenizer::TokenId> due(bool within_character) const noexcept;
  /// The tokens that must follow now, in order; none while the budget is not spent.
  std::vector<tokenizer::TokenId> rest() const;
  void accept(tokenizer::TokenId id);

 private:
  struct Marker {
    std::string text;
    std::optional<tokenizer::TokenId> control;  // the token that it is
  };
  Marker marker(std::string text) const;
  bool opens(tokenizer::TokenId id);
  bool closes(tokenizer::TokenId id) const noexcept;
  bool spent() const noexcept { return reasons_ && tokens_ >= budget_.max_tokens; }

  ReasoningBudget budget_;
  const tokenizer::Tokenizer* tokenizer_;
  Marker open_;
  std::vector<Marker> closes_;
  std::optional<std::string> beginning_ = std::string();  // of the text, while it may still become the opening marker
  std::size_t longest_ = 0;                               // closing marker, in bytes
  std::string recent_;                                    // the end of the reasoning, with its closing marker if it has just come
  bool reasons_ = false;
  std::size_t tokens_ = 0;   // between the markers so far
  std::size_t written_ = 0;  // of the ending
};

}  // namespace heed::runtime

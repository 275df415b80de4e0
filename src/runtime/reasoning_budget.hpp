// Limits the length of a model's reasoning: after a number of tokens, a text that ends the reasoning is inserted.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "tokenizer/tokenizer.hpp"

namespace heed::runtime {

/// The limit of the reasoning in a text, and the markers around it.
struct ReasoningBudget {
  bool begun = false;                      // whether the prompt contains the opening marker
  std::string open;                        // the opening marker, if it is generated
  std::vector<std::string> closes;         // closing markers; each of them ends the reasoning
  std::size_t max_tokens = 0;              // most reasoning tokens in the whole text, without the markers
  std::vector<tokenizer::TokenId> ending;  // the inserted tokens: optionally a message, then a closing marker
};

/// Counts the reasoning tokens of one text, and returns the tokens to insert. A marker that is a control token is found only as
/// this token; any other marker is found as text. The opening marker is found as text only at the beginning, because an answer may
/// quote it.
///
///     ReasoningLimit limit(budget, tokenizer);
///     const TokenId id = limit.due(decoder.holds()).value_or(sampled);
///     limit.accept(id);
class ReasoningLimit {
 public:
  /// `tokenizer` must outlive this. Throws invalid_argument for an empty marker or an empty ending.
  ReasoningLimit(ReasoningBudget budget, const tokenizer::Tokenizer& tokenizer);

  /// The token that must come next, if the limit is reached. `within_character`: the text ends within a character, which may still
  /// be completed by at most three tokens.
  std::optional<tokenizer::TokenId> due(bool within_character) const noexcept;
  /// The tokens that remain to be inserted, in order; none before the limit is reached.
  std::vector<tokenizer::TokenId> rest() const;
  void accept(tokenizer::TokenId id);

 private:
  struct Marker {
    std::string text;
    std::optional<tokenizer::TokenId> control;  // the marker's token, if it is a control token
  };
  Marker marker(std::string text) const;
  bool opens(tokenizer::TokenId id);
  bool closes(tokenizer::TokenId id) const noexcept;
  bool spent() const noexcept { return reasons_ && tokens_ >= budget_.max_tokens; }

  ReasoningBudget budget_;
  const tokenizer::Tokenizer* tokenizer_;
  Marker open_;
  std::vector<Marker> closes_;
  std::optional<std::string> beginning_ = std::string();  // the beginning of the text, while it may still become the opening marker
  std::size_t longest_ = 0;                               // bytes of the longest closing marker
  std::string recent_;                                    // the last longest_ bytes of the reasoning
  bool reasons_ = false;
  std::size_t tokens_ = 0;   // reasoning tokens so far, without markers
  std::size_t written_ = 0;  // tokens of the ending so far
};

}  // namespace heed::runtime

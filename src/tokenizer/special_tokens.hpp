// Finds special tokens in a text. Of overlapping occurrences, the longest wins, then the leftmost: as if the text were split at all
// occurrences of the longest token, then of the next longest, and so on.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "tokenizer/trie.hpp"

namespace heed::tokenizer {

/// The bytes [begin, end) of a text.
struct Stretch {
  std::size_t begin, end;
};

class SpecialTokens {
 public:
  struct Occurrence {
    std::size_t begin, end;  // bytes of the text
    TokenId id;
  };

  /// anywhere: tokens to find everywhere; control: tokens to find only where control tokens are allowed.
  SpecialTokens(const Vocabulary& vocabulary, std::vector<TokenId> anywhere, std::vector<TokenId> control);

  /// The occurrences, in order and without overlaps. control: the stretches of the text where control tokens are allowed; sorted,
  /// not empty, not adjacent.
  std::vector<Occurrence> find(std::string_view text, std::span<const Stretch> control = {}) const;

 private:
  Trie anywhere_;
  Trie all_;
};

}  // namespace heed::tokenizer

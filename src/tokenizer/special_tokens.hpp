// Finds special tokens in a text. If two overlap, the longer one is found, of equally long ones the leftmost: as if the text were split at
// all occurrences of the longest token, then of the next longest, and so on.
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

  /// anywhere: tokens to find in all of a text; control: tokens to find where control tokens are allowed.
  SpecialTokens(const Vocabulary& vocabulary, std::vector<TokenId> anywhere, std::vector<TokenId> control);

  /// In order, without overlaps. control: the stretches of the text in which control tokens are allowed, in order, not empty, and not
  /// adjacent.
  std::vector<Occurrence> find(std::string_view text, std::span<const Stretch> control = {}) const;

 private:
  Trie anywhere_;
  Trie all_;
};

}  // namespace heed::tokenizer

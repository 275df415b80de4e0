// Finds special tokens that are written out in a text. The longest one wins wherever two overlap, the
// leftmost among equals, as if the text were cut at every occurrence of the longest token first, then at the
// next longest, and so on.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "tokenizer/trie.hpp"

namespace heed::tokenizer {

class SpecialTokens {
 public:
  struct Occurrence {
    std::size_t begin, end;  // bytes of the text
    TokenId id;
  };

  /// Looks for the tokens `ids` of `vocabulary`.
  SpecialTokens(const Vocabulary& vocabulary, std::vector<TokenId> ids)
      : texts_(vocabulary, std::move(ids)) {}

  /// Ordered, without overlaps.
  std::vector<Occurrence> find(std::string_view text) const;

 private:
  Trie texts_;
};

}  // namespace heed::tokenizer

// Finds special tokens that are written out in a text. The longest one wins wherever two overlap, the
// leftmost among equals, as if the text were cut at every occurrence of the longest token first, then at the
// next longest, and so on.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "tokenizer/trie.hpp"

namespace heed::tokenizer {

/// Bytes of a text.
struct Stretch {
  std::size_t begin, end;
};

class SpecialTokens {
 public:
  struct Occurrence {
    std::size_t begin, end;  // bytes of the text
    TokenId id;
  };

  /// Looks for the tokens `anywhere` of `vocabulary`, and for those of `control` where control tokens are read.
  SpecialTokens(const Vocabulary& vocabulary, std::vector<TokenId> anywhere, std::vector<TokenId> control);

  /// Ordered, without overlaps. Control tokens are read in the stretches `control` of the text: ordered, none of them empty, and
  /// with something between any two.
  std::vector<Occurrence> find(std::string_view text, std::span<const Stretch> control = {}) const;

 private:
  Trie anywhere_;
  Trie all_;
};

}  // namespace heed::tokenizer

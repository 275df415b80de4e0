// Finds special tokens that are written out in a text. The longest one wins wherever two overlap, the
// leftmost among equals, as if the text were cut at every occurrence of the longest token first, then at the
// next longest, and so on.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

#include "tokenizer/vocabulary.hpp"

namespace heed::tokenizer {

class SpecialTokens {
 public:
  struct Occurrence {
    std::size_t begin, end;  // bytes of the text
    TokenId id;
  };

  /// Looks for the tokens `ids` of `vocabulary`, which it refers to from then on.
  SpecialTokens(const Vocabulary& vocabulary, std::vector<TokenId> ids);

  /// Ordered, without overlaps.
  std::vector<Occurrence> find(std::string_view text) const;

 private:
  std::size_t length(TokenId id) const noexcept { return vocabulary_->text(id).size(); }
  /// The longest token that `text` begins with; its end is 0 where there is none.
  Occurrence longest_prefix(std::string_view text) const noexcept;

  const Vocabulary* vocabulary_;
  std::vector<TokenId> by_text_;  // ordered by their texts
  // Those that begin with byte b are by_text_[first_byte_[b], first_byte_[b + 1]).
  std::array<std::size_t, 257> first_byte_{};
};

}  // namespace heed::tokenizer

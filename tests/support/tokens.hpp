// Tokens for tests that do not care which.
#pragma once

#include <cstddef>
#include <vector>

#include "tokenizer/tokenizer.hpp"

namespace heed::test {

/// `count` ordinary tokens of a tiny model's vocabulary; `first` other ones come before them.
inline std::vector<tokenizer::TokenId> some_tokens(std::size_t count, std::size_t first = 0) {
  std::vector<tokenizer::TokenId> tokens(count);
  for (std::size_t i = 0; i < count; ++i) tokens[i] = static_cast<tokenizer::TokenId>(3 + (first + i) * 37 % 317);
  return tokens;
}

}  // namespace heed::test

// How much two texts have in common from their beginning on: what a sequence has read of the one serves the other.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "tokenizer/tokenizer.hpp"

namespace heed::runtime {

/// The number of tokens that both begin with.
inline std::size_t common_prefix(std::span<const tokenizer::TokenId> a, std::span<const tokenizer::TokenId> b) noexcept {
  return static_cast<std::size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
}

}  // namespace heed::runtime

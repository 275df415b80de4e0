// The common prefix of two texts: tokens that were processed for one need not be processed again for the other.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "tokenizer/tokenizer.hpp"

namespace heed::runtime {

/// The number of tokens of the longest common prefix.
inline std::size_t common_prefix(std::span<const tokenizer::TokenId> a, std::span<const tokenizer::TokenId> b) noexcept {
  return static_cast<std::size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
}

}  // namespace heed::runtime

// A set of tokens, one bit each.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tokenizer/tokenizer.hpp"

namespace heed::grammar {

using tokenizer::TokenId;

class TokenSet {
 public:
  /// The empty set, for a vocabulary of `size` tokens.
  explicit TokenSet(std::size_t size) : words_((size + 63) / 64) {}

  void insert(TokenId token) noexcept { word(token) |= bit(token); }
  /// Inserts the token if `wanted`, without a branch.
  void insert_if(bool wanted, TokenId token) noexcept {
    word(token) |= std::uint64_t{wanted} << (static_cast<std::size_t>(token) % 64);
  }
  void erase(TokenId token) noexcept { word(token) &= ~bit(token); }
  void clear() noexcept { std::ranges::fill(words_, 0); }
  /// `other` must be of the same vocabulary.
  TokenSet& operator|=(const TokenSet& other) noexcept {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] |= other.words_[i];
    return *this;
  }
  bool contains(TokenId token) const noexcept { return (words_[static_cast<std::size_t>(token) / 64] & bit(token)) != 0; }
  bool empty() const noexcept {
    return std::ranges::all_of(words_, [](std::uint64_t word) { return word == 0; });
  }
  /// Token i is bit i % 64 of word i / 64.
  std::span<const std::uint64_t> words() const noexcept { return words_; }

  bool operator==(const TokenSet&) const = default;

 private:
  static std::uint64_t bit(TokenId token) noexcept { return std::uint64_t{1} << (static_cast<std::size_t>(token) % 64); }
  std::uint64_t& word(TokenId token) noexcept { return words_[static_cast<std::size_t>(token) / 64]; }

  std::vector<std::uint64_t> words_;
};

}  // namespace heed::grammar

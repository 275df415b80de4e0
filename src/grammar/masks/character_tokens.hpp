// The tokens that consist of characters of one class: most of a vocabulary, for the characters of a string. How many characters each
// has decides alone whether it fits into a string of limited length, so no token is walked for it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "grammar/masks/token_set.hpp"
#include "grammar/masks/token_trie.hpp"
#include "grammar/regular/pool.hpp"

namespace heed::grammar {

class CharacterTokens {
 public:
  /// A node that is reached after whole characters, and by whose byte no other begins.
  struct Edge {
    TokenTrie::Node node;
    std::uint32_t characters;  // before it
  };

  /// `character`: one character of the class, none of which is the beginning of another.
  CharacterTokens(const TokenTrie& trie, RegularPool& pool, Regular character);

  /// Those of at most `characters` characters; one that is not finished counts.
  TokenSet up_to(std::uint32_t characters) const;
  /// Those of more than `shorter` characters, and at most `characters`.
  std::span<const TokenId> between(std::uint32_t shorter, std::uint32_t characters) const noexcept {
    return std::span(by_length_).subspan(0, count_up_to(characters)).subspan(count_up_to(std::min(shorter, characters)));
  }
  /// In the longest token.
  std::uint32_t longest() const noexcept { return static_cast<std::uint32_t>(begins_.size() - 1); }
  /// Of a byte, in the order of the trie.
  std::span<const Edge> edges(std::uint8_t byte) const noexcept;

 private:
  std::size_t count_up_to(std::uint32_t characters) const noexcept { return begins_[std::min(characters, longest())]; }

  TokenSet all_;
  std::vector<TokenId> by_length_;   // from one character on
  std::vector<std::size_t> begins_;  // [longest + 1]: those of n characters are by_length_[begins_[n - 1], begins_[n])
  std::vector<Edge> edges_;          // by byte
};

}  // namespace heed::grammar

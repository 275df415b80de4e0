// The tokens that consist of characters of one class, by their number of characters. For the class of all string characters, they
// are most of the vocabulary, and their number of characters alone decides whether they fit into a string of limited length.
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
  /// A node at which a run of characters of the class ends: the bytes before it are whole characters of the class, and its byte
  /// begins no such character.
  struct Edge {
    TokenTrie::Node node;
    std::uint32_t characters;  // before the node
  };

  /// `character`: the class. No spelling of one of its characters may be a prefix of another.
  CharacterTokens(const TokenTrie& trie, RegularPool& pool, Regular character);

  /// The tokens of at most `characters` characters; an unfinished character counts.
  TokenSet up_to(std::uint32_t characters) const;
  /// The tokens of more than `shorter` and at most `characters` characters.
  std::span<const TokenId> between(std::uint32_t shorter, std::uint32_t characters) const noexcept {
    return std::span(by_length_).subspan(0, count_up_to(characters)).subspan(count_up_to(std::min(shorter, characters)));
  }
  /// The number of characters in the longest token.
  std::uint32_t longest() const noexcept { return static_cast<std::uint32_t>(begins_.size() - 1); }
  /// The edges with this byte, in the order of the trie.
  std::span<const Edge> edges(std::uint8_t byte) const noexcept;

 private:
  std::size_t count_up_to(std::uint32_t characters) const noexcept { return begins_[std::min(characters, longest())]; }

  TokenSet all_;
  std::vector<TokenId> by_length_;   // shortest first
  std::vector<std::size_t> begins_;  // [longest + 1]: tokens of n characters are by_length_[begins_[n - 1], begins_[n])
  std::vector<Edge> edges_;          // sorted by byte
};

}  // namespace heed::grammar

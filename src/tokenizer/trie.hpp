// Finds the tokens that a text begins with, byte by byte: a trie whose nodes lie level by level, so that the
// children of a node are neighbours and need no pointers of their own.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "tokenizer/vocabulary.hpp"

namespace heed::tokenizer {

class Trie {
 public:
  using Node = std::uint32_t;
  static constexpr Node kRoot = 0;

  /// Of the tokens `ids`.
  Trie(const Vocabulary& vocabulary, std::vector<TokenId> ids);

  /// The node that `byte` leads to; kRoot where it leads nowhere.
  Node child(Node node, char byte) const noexcept {
    const auto wanted = static_cast<unsigned char>(byte);
    if (node == kRoot) return first_level_[wanted];
    Node first = first_child_[node], last = first_child_[node + 1];
    while (last - first > kFew) {
      const Node middle = first + (last - first) / 2;
      (bytes_[middle] <= wanted ? first : last) = middle;
    }
    for (; first < last; ++first) {
      if (bytes_[first] == wanted) return first;
    }
    return kRoot;
  }

  /// The token that ends at a node; negative where none does.
  TokenId token(Node node) const noexcept { return tokens_[node]; }

  struct Match {
    std::size_t length = 0;  // in bytes; 0 where there is none
    TokenId id = -1;
  };
  /// The longest token that `text` begins with.
  Match longest_prefix(std::string_view text) const noexcept;

  /// How many bytes of `text` are the beginning of some token.
  std::size_t agreement(std::string_view text) const noexcept;

 private:
  static constexpr Node kFew = 8;  // that are looked at one after the other

  std::array<Node, 256> first_level_{};  // the children of the root
  std::vector<Node> first_child_;        // [nodes + 1]: those of node n are [first_child_[n], first_child_[n + 1])
  std::vector<unsigned char> bytes_;     // [nodes] that lead there
  std::vector<TokenId> tokens_;          // [nodes]
};

}  // namespace heed::tokenizer

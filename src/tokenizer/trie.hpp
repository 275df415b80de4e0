// A trie of tokens, to find those that are prefixes of a text. Nodes are stored in breadth-first order, so that the children of a
// node are adjacent and need no pointers.
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

  /// ids: the tokens to find.
  Trie(const Vocabulary& vocabulary, std::vector<TokenId> ids);

  /// The child of `node` for `byte`; kRoot if there is none.
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

  /// The token that ends at a node; negative if none does.
  TokenId token(Node node) const noexcept { return tokens_[node]; }

  struct Match {
    std::size_t length = 0;  // in bytes; 0: no match
    TokenId id = -1;
  };
  /// The longest token that is a prefix of `text`.
  Match longest_prefix(std::string_view text) const noexcept;

 private:
  static constexpr Node kFew = 8;  // for up to this many children, linear search is faster

  std::array<Node, 256> first_level_{};  // the children of the root
  std::vector<Node> first_child_;        // [nodes + 1]: the children of node n are [first_child_[n], first_child_[n + 1])
  std::vector<unsigned char> bytes_;     // [nodes] the byte of the edge from the parent
  std::vector<TokenId> tokens_;          // [nodes]
};

}  // namespace heed::tokenizer

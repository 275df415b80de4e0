// A vocabulary by its tokens' bytes: a trie as one array, each node followed by all that is below it, so that a walk goes forward
// through memory and leaves a branch out by adding to an index.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "grammar/masks/token_texts.hpp"

namespace heed::grammar {

/// Neighbours in a trie, with all that is below them: indices of nodes.
struct Branches {
  std::uint32_t begin, end;
};

/// Of the tokens that become part of what is written: those with bytes. What ends a generation is told apart.
class TokenTrie {
 public:
  struct Node {
    std::uint32_t byte : 8;   // that leads here
    std::uint32_t size : 24;  // nodes, from this one on, that are below it or itself
    TokenId token;            // that ends here; negative: none. Others with the same bytes are its twins
  };

  /// Throws Refusal (too-large) for a vocabulary of more than 2^24 nodes.
  explicit TokenTrie(TokenTexts texts);

  /// Without a root: the nodes of first bytes follow one another.
  std::span<const Node> nodes() const noexcept { return nodes_; }
  Branches all() const noexcept { return {0, static_cast<std::uint32_t>(nodes_.size())}; }
  Branches below(std::uint32_t node) const noexcept { return {node + 1, node + nodes_[node].size}; }
  std::size_t vocabulary_size() const noexcept { return texts_.size(); }  // V
  const TokenTexts& texts() const noexcept { return texts_; }
  /// That end a generation, ascending.
  std::span<const TokenId> ends() const noexcept { return ends_; }
  /// Of the longest token.
  std::size_t longest() const noexcept { return longest_; }

  /// Calls `visit` with each token of the node: none, one, or one and its twins.
  template <class Visit>
  void tokens(const Node& node, Visit visit) const {
    if (node.token < 0) return;
    visit(node.token);
    if (!twins_.empty()) other_tokens(node.token, visit);
  }

 private:
  using Twin = std::pair<TokenId, TokenId>;  // a node's token, and another of the same bytes

  template <class Visit>
  void other_tokens(TokenId token, Visit visit) const {
    for (auto twin = std::lower_bound(twins_.begin(), twins_.end(), Twin(token, -1)); twin != twins_.end() && twin->first == token;
         ++twin)
      visit(twin->second);
  }

  TokenTexts texts_;
  std::vector<Node> nodes_;
  std::vector<Twin> twins_;  // sorted
  std::vector<TokenId> ends_;
  std::size_t longest_ = 0;
};

}  // namespace heed::grammar

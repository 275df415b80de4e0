// A vocabulary by its tokens' bytes: a trie as one array, each node followed by all that is below it, so that a walk goes forward
// through memory and leaves a branch out by adding to an index.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "grammar/masks/token_set.hpp"
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
    static constexpr std::uint32_t kNone = (1 << 23) - 1;

    std::uint32_t byte : 8;    // that leads here
    std::uint32_t size : 24;   // nodes, from this one on, that are below it or itself
    std::uint32_t kinds : 9;   // of bytes below it: ByteKinds
    std::uint32_t token : 23;  // that ends here; others with the same bytes are its twins

    bool has_token() const noexcept { return token != kNone; }
  };

  /// Throws Refusal (too-large) for a vocabulary with 2^24 nodes or 2^23 tokens, or more.
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
    if (!node.has_token()) return;
    const auto token = static_cast<TokenId>(node.token);
    visit(token);
    if (has_twins_.contains(token)) other_tokens(token, visit);
  }
  /// Inserts the tokens of the nodes, but for twins.
  void insert(Branches branches, TokenSet& set) const noexcept {
    for (std::uint32_t node = branches.begin; node < branches.end; ++node) {
      const bool has_token = nodes_[node].has_token();
      set.insert_if(has_token, has_token ? static_cast<TokenId>(nodes_[node].token) : 0);
    }
  }
  void erase(Branches branches, TokenSet& set) const {
    for (std::uint32_t node = branches.begin; node < branches.end; ++node)
      tokens(nodes_[node], [&](TokenId token) { set.erase(token); });
  }
  /// Inserts the twins of what is in it.
  void insert_twins(TokenSet& set) const noexcept {
    for (const auto& [token, twin] : twins_)
      if (set.contains(token)) set.insert(twin);
  }

 private:
  using Twin = std::pair<TokenId, TokenId>;  // a node's token, and another of the same bytes

  template <class Visit>
  void other_tokens(TokenId token, Visit visit) const {
    for (auto twin = std::lower_bound(twins_.begin(), twins_.end(), Twin(token, -1)); twin != twins_.end() && twin->first == token;
         ++twin)
      visit(twin->second);
  }

  void find_kinds(const std::vector<std::uint8_t>& characters);

  TokenTexts texts_;
  std::vector<Node> nodes_;
  std::vector<Twin> twins_;  // sorted
  TokenSet has_twins_;       // of the nodes' tokens
  std::vector<TokenId> ends_;
  std::size_t longest_ = 0;
};

}  // namespace heed::grammar

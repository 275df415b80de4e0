// The vocabulary as a trie: an array of tokens sorted by their texts. Each entry stores the length of the prefix that it shares
// with the entry before, and the number of entries below its first new byte. So walks read memory forwards, and skip a branch by
// adding to an index. The bytes themselves are only in TokenTexts.
#pragma once

#include <algorithm>
#include <bit>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "grammar/masks/token_set.hpp"
#include "grammar/masks/token_texts.hpp"

namespace heed::grammar {

/// A range of nodes: the nodes of `entry` from `depth` on, and all nodes of the entries after `entry` and before `end`.
struct Branches {
  std::uint32_t entry, depth, end;

  bool operator==(const Branches&) const = default;
};

/// Contains the tokens that add bytes to the text; end tokens are listed separately.
class TokenTrie {
 public:
  /// A text, which one or several tokens have.
  struct Entry {
    std::uint64_t token : 21;   // one of the tokens with this text; the others are its twins
    std::uint64_t span : 21;    // number of entries, including this one, that start with its first shared + 1 bytes
    std::uint64_t shared : 22;  // length of the common prefix with the entry before
  };
  /// A prefix that occurs first in `entry`. In sort order, a node is followed by all nodes below it.
  struct Node {
    std::uint32_t entry;
    std::uint16_t depth;  // bytes before `byte`
    std::uint8_t byte;    // the last byte of the prefix
    bool ends_text;       // the prefix is the whole text of `entry`

    auto operator<=>(const Node&) const = default;
  };

  /// Throws Refusal (too-large) for 2^21 or more tokens, or a text of 2^16 - 1 or more bytes.
  explicit TokenTrie(TokenTexts texts);

  /// The number of entries.
  std::uint32_t size() const noexcept { return static_cast<std::uint32_t>(words_.size()); }
  Entry entry(std::uint32_t i) const noexcept { return std::bit_cast<Entry>(words_[i]); }
  std::string_view text(std::uint32_t entry) const noexcept { return texts_.text(token(entry)); }
  Branches all() const noexcept { return {0, 0, size()}; }
  /// The index after the last entry that shares its first `depth` + 1 bytes with this one.
  std::uint32_t end(std::uint32_t entry, std::uint32_t depth) const noexcept;
  std::uint32_t end(const Node& node) const noexcept { return end(node.entry, node.depth); }
  Branches from(const Node& node) const noexcept { return {node.entry, node.depth, end(node)}; }
  Branches below(const Node& node) const noexcept { return {node.entry, node.depth + 1U, end(node)}; }
  bool has_below(const Node& node) const noexcept { return !node.ends_text || end(node) > node.entry + 1; }
  std::size_t vocabulary_size() const noexcept { return texts_.size(); }  // V
  const TokenTexts& texts() const noexcept { return texts_; }
  /// The end tokens, ascending.
  std::span<const TokenId> ends() const noexcept { return ends_; }
  /// The number of bytes of the longest token.
  std::size_t longest() const noexcept { return longest_; }

  /// Calls `visit(byte, entries)` for each first byte and the number of its entries.
  template <class Visit>
  void first_bytes(Visit visit) const {
    for (std::uint32_t i = 0, span; i < size(); i += span) {
      span = static_cast<std::uint32_t>(entry(i).span);
      visit(static_cast<std::uint8_t>(text(i)[0]), span);
    }
  }
  /// Calls `visit` with each token whose text is the node's prefix.
  template <class Visit>
  void tokens(const Node& node, Visit visit) const {
    if (node.ends_text) tokens(node.entry, visit);
  }
  template <class Visit>
  void tokens(std::uint32_t entry, Visit visit) const {
    visit(token(entry));
    if (has_twins_.contains(token(entry))) other_tokens(token(entry), visit);
  }
  /// Calls `visit` with each token that ends in the branches.
  template <class Visit>
  void tokens(const Branches& branches, Visit visit) const {
    for (std::uint32_t entry = first_text(branches); entry < branches.end; ++entry) tokens(entry, visit);
  }
  /// Inserts the tokens that end in the branches, without twins.
  void insert(const Branches& branches, TokenSet& set) const noexcept {
    for (std::uint32_t entry = first_text(branches); entry < branches.end; ++entry) set.insert(token(entry));
  }
  /// Inserts the twins of the tokens in `set`.
  void insert_twins(TokenSet& set) const noexcept {
    for (const auto& [token, twin] : twins_)
      if (set.contains(token)) set.insert(twin);
  }

 private:
  using Twin = std::pair<TokenId, TokenId>;  // an entry's token, and another token with the same bytes

  TokenId token(std::uint32_t entry) const noexcept { return static_cast<TokenId>(this->entry(entry).token); }
  /// The first entry whose text is longer than `branches.depth`: the texts of all are, except perhaps that of `branches.entry`.
  std::uint32_t first_text(const Branches& branches) const noexcept {
    return branches.entry < branches.end && text(branches.entry).size() <= branches.depth ? branches.entry + 1 : branches.entry;
  }
  template <class Visit>
  void other_tokens(TokenId token, Visit visit) const {
    for (auto twin = std::lower_bound(twins_.begin(), twins_.end(), Twin(token, -1)); twin != twins_.end() && twin->first == token;
         ++twin)
      visit(twin->second);
  }

  TokenTexts texts_;
  std::vector<std::uint64_t> words_;  // entries
  std::vector<Twin> twins_;           // sorted
  TokenSet has_twins_;                // tokens of entries that have twins
  std::vector<TokenId> ends_;
  std::size_t longest_ = 0;
};

}  // namespace heed::grammar

// A vocabulary by its tokens' bytes: a trie as an array of the tokens in the order of their texts. Each knows how much of its text the one
// before begins with, and how many are below the first byte that is new, so that a walk goes forward through memory and leaves a
// branch out by adding to an index. The bytes are in the vocabulary's texts only.
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

/// Nodes of a trie that follow one another: of an entry, those from `depth` on, then all of the entries behind it and before `end`.
struct Branches {
  std::uint32_t entry, depth, end;

  bool operator==(const Branches&) const = default;
};

/// Of the tokens that become part of what is written: those with bytes. What ends a generation is told apart.
class TokenTrie {
 public:
  /// A text.
  struct Entry {
    std::uint64_t token : 21;   // of this text; others are its twins
    std::uint64_t span : 21;    // entries, from this one on, that begin with the first byte that is new in it and all before
    std::uint64_t shared : 22;  // bytes, with which the entry before begins, too
  };
  /// The beginning of a text that no entry before has. In order, each is followed by all that are below it.
  struct Node {
    std::uint32_t entry;
    std::uint16_t depth;  // bytes before `byte`
    std::uint8_t byte;    // that leads here
    bool ends_text;       // of the entry

    auto operator<=>(const Node&) const = default;
  };

  /// Throws Refusal (too-large) for a vocabulary with 2^21 tokens or a text of 2^16 - 1 bytes, or more.
  explicit TokenTrie(TokenTexts texts);

  /// Entries.
  std::uint32_t size() const noexcept { return static_cast<std::uint32_t>(words_.size()); }
  Entry entry(std::uint32_t i) const noexcept { return std::bit_cast<Entry>(words_[i]); }
  std::string_view text(std::uint32_t entry) const noexcept { return texts_.text(token(entry)); }
  Branches all() const noexcept { return {0, 0, size()}; }
  /// The entry behind all that begin with the first `depth` + 1 bytes of this one.
  std::uint32_t end(std::uint32_t entry, std::uint32_t depth) const noexcept;
  std::uint32_t end(const Node& node) const noexcept { return end(node.entry, node.depth); }
  Branches from(const Node& node) const noexcept { return {node.entry, node.depth, end(node)}; }
  Branches below(const Node& node) const noexcept { return {node.entry, node.depth + 1U, end(node)}; }
  bool has_below(const Node& node) const noexcept { return !node.ends_text || end(node) > node.entry + 1; }
  std::size_t vocabulary_size() const noexcept { return texts_.size(); }  // V
  const TokenTexts& texts() const noexcept { return texts_; }
  /// That end a generation, ascending.
  std::span<const TokenId> ends() const noexcept { return ends_; }
  /// Of the longest token.
  std::size_t longest() const noexcept { return longest_; }

  /// Calls `visit(byte, entries)` for each byte that texts begin with.
  template <class Visit>
  void first_bytes(Visit visit) const {
    for (std::uint32_t i = 0, span; i < size(); i += span) {
      span = static_cast<std::uint32_t>(entry(i).span);
      visit(static_cast<std::uint8_t>(text(i)[0]), span);
    }
  }
  /// Calls `visit` with each token of the node: none, one, or one and its twins.
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
  /// Inserts the tokens that end in the branches, but for twins.
  void insert(const Branches& branches, TokenSet& set) const noexcept {
    for (std::uint32_t entry = first_text(branches); entry < branches.end; ++entry) set.insert(token(entry));
  }
  /// Inserts the twins of what is in it.
  void insert_twins(TokenSet& set) const noexcept {
    for (const auto& [token, twin] : twins_)
      if (set.contains(token)) set.insert(twin);
  }

 private:
  using Twin = std::pair<TokenId, TokenId>;  // an entry's token, and another of the same bytes

  TokenId token(std::uint32_t entry) const noexcept { return static_cast<TokenId>(this->entry(entry).token); }
  /// The first entry whose text ends in the branches.
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
  TokenSet has_twins_;                // of the entries' tokens
  std::vector<TokenId> ends_;
  std::size_t longest_ = 0;
};

}  // namespace heed::grammar

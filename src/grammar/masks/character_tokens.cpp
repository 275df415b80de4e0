#include "grammar/masks/character_tokens.hpp"

#include <algorithm>
#include <utility>

#include "grammar/masks/trie_walk.hpp"

namespace heed::grammar {

CharacterTokens::CharacterTokens(const TokenTrie& trie, RegularPool& pool, Regular character) : all_(trie.vocabulary_size()) {
  const Regular whole = pool.repeat(character, 0, std::nullopt);
  struct Progress {
    Regular rest;
    std::uint32_t characters;  // that have begun
  };
  std::vector<std::pair<std::uint32_t, TokenId>> tokens;
  walk(trie, trie.all(), Progress{whole, 0}, [&](std::uint32_t node, const Progress& before, Progress& after) {
    const TokenTrie::Node& at = trie.nodes()[node];
    after.rest = pool.derive(before.rest, at.byte);
    if (after.rest == Regular::kNothing) {
      if (before.rest == whole) edges_.push_back({at.byte, node, before.characters});
      return false;
    }
    if (before.rest == whole) ++after.characters;
    trie.tokens(at, [&](TokenId token) {
      all_.insert(token);
      tokens.emplace_back(after.characters, token);
    });
    return true;
  });
  std::ranges::sort(tokens);
  std::ranges::stable_sort(edges_, {}, &Edge::byte);
  by_length_.reserve(tokens.size());
  begins_.push_back(0);
  for (const auto& [characters, token] : tokens) {
    begins_.resize(std::max<std::size_t>(begins_.size(), characters + 1), by_length_.size());
    by_length_.push_back(token);
    begins_.back() = by_length_.size();
  }
}

TokenSet CharacterTokens::up_to(std::uint32_t characters) const {
  TokenSet set = all_;
  if (characters >= longest()) return set;
  const auto fit = std::span(by_length_).first(begins_[characters]);
  const auto others = std::span(by_length_).subspan(begins_[characters]);
  if (fit.size() < others.size()) {
    set.clear();
    for (const TokenId token : fit) set.insert(token);
  } else {
    for (const TokenId token : others) set.erase(token);
  }
  return set;
}

std::span<const CharacterTokens::Edge> CharacterTokens::edges(std::uint8_t byte) const noexcept {
  const auto found = std::ranges::equal_range(edges_, std::uint32_t{byte}, {}, &Edge::byte);
  return {found.begin(), found.end()};
}

}  // namespace heed::grammar

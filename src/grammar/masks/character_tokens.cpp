#include "grammar/masks/character_tokens.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

#include "grammar/masks/derivative_table.hpp"
#include "grammar/masks/trie_walk.hpp"

namespace heed::grammar {
namespace {

std::uint8_t byte_of(const CharacterTokens::Edge& edge) { return edge.node.byte; }

}  // namespace

CharacterTokens::CharacterTokens(const TokenTrie& trie, RegularPool& pool, Regular character) : all_(trie.vocabulary_size()) {
  DerivativeTable table(pool, pool.repeat(character, 0, std::nullopt));
  struct Progress {
    std::uint32_t rest = DerivativeTable::kStart;
    std::uint32_t characters = 0;  // complete characters and the one begun
  };
  struct Found {
    std::uint32_t characters;
    TokenId token;
  };
  std::vector<Found> tokens;
  tokens.reserve(trie.vocabulary_size());
  walk(trie, trie.all(), Progress(), [&](const TokenTrie::Node& node, const Progress& before, Progress& after) {
    after.rest = table.step(before.rest, node.byte);
    if (after.rest == DerivativeTable::kDead) {
      if (before.rest == DerivativeTable::kStart) edges_.push_back({node, before.characters});
      return false;
    }
    if (before.rest == DerivativeTable::kStart) ++after.characters;
    trie.tokens(node, [&](TokenId token) {
      all_.insert(token);
      tokens.push_back({after.characters, token});
    });
    return true;
  });
  std::ranges::stable_sort(edges_, {}, byte_of);
  edges_.shrink_to_fit();
  // Counting sort: begins_[n] is where the next token of n characters goes; in the end, where the tokens of n + 1 characters begin.
  begins_.assign(1, 0);
  for (const Found& found : tokens) {
    begins_.resize(std::max<std::size_t>(begins_.size(), found.characters + 1));
    ++begins_[found.characters];
  }
  std::exclusive_scan(begins_.begin(), begins_.end(), begins_.begin(), std::size_t{0});
  by_length_.resize(tokens.size());
  for (const Found& found : tokens) by_length_[begins_[found.characters]++] = found.token;
}

TokenSet CharacterTokens::up_to(std::uint32_t characters) const {
  TokenSet set = all_;
  if (characters >= longest()) return set;
  const auto fit = between(0, characters);
  const auto others = between(characters, longest());
  if (fit.size() < others.size()) {
    set.clear();
    for (const TokenId token : fit) set.insert(token);
  } else {
    for (const TokenId token : others) set.erase(token);
  }
  return set;
}

std::span<const CharacterTokens::Edge> CharacterTokens::edges(std::uint8_t byte) const noexcept {
  const auto found = std::ranges::equal_range(edges_, byte, {}, byte_of);
  return {found.begin(), found.end()};
}

}  // namespace heed::grammar

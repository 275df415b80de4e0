#include "grammar/masks/character_tokens.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

#include "grammar/masks/trie_walk.hpp"

namespace heed::grammar {
namespace {

/// The derivatives of a few expressions, of which a vocabulary asks for each a hundred thousand times: a look-up is one load.
class DerivativeTable {
 public:
  static constexpr std::uint32_t kDead = 0, kStart = 1;

  DerivativeTable(RegularPool& pool, Regular start) : pool_(pool) {
    number(Regular::kNothing);
    number(start);
  }
  std::uint32_t step(std::uint32_t from, std::uint32_t byte) {
    const std::uint32_t known = cells_[from * 256 + byte];
    return known != kUnknown ? known : step_anew(from, byte);
  }

 private:
  static constexpr std::uint32_t kUnknown = 0xFFFF'FFFF;

  std::uint32_t step_anew(std::uint32_t from, std::uint32_t byte) {
    const std::uint32_t to = number(pool_.derive(states_[from], static_cast<std::uint8_t>(byte)));
    return cells_[from * 256 + byte] = to;
  }
  std::uint32_t number(Regular expression) {
    const auto found = std::ranges::find(states_, expression);
    if (found == states_.end()) {
      states_.push_back(expression);
      cells_.resize(states_.size() * 256, kUnknown);
      return static_cast<std::uint32_t>(states_.size() - 1);
    }
    return static_cast<std::uint32_t>(found - states_.begin());
  }

  RegularPool& pool_;
  std::vector<Regular> states_;
  std::vector<std::uint32_t> cells_;  // [states][256]
};

}  // namespace

CharacterTokens::CharacterTokens(const TokenTrie& trie, RegularPool& pool, Regular character) : all_(trie.vocabulary_size()) {
  DerivativeTable table(pool, pool.repeat(character, 0, std::nullopt));
  struct Progress {
    std::uint32_t rest = DerivativeTable::kStart;
    std::uint32_t characters = 0;  // that have begun
  };
  struct Found {
    std::uint32_t characters;
    TokenId token;
  };
  std::vector<Found> tokens;
  tokens.reserve(trie.vocabulary_size());
  walk(trie, trie.all(), Progress(), [&](std::uint32_t node, const Progress& before, Progress& after) {
    const TokenTrie::Node& at = trie.nodes()[node];
    after.rest = table.step(before.rest, at.byte);
    if (after.rest == DerivativeTable::kDead) {
      if (before.rest == DerivativeTable::kStart) edges_.push_back({at.byte, node, before.characters});
      return false;
    }
    if (before.rest == DerivativeTable::kStart) ++after.characters;
    trie.tokens(at, [&](TokenId token) {
      all_.insert(token);
      tokens.push_back({after.characters, token});
    });
    return true;
  });
  std::ranges::stable_sort(edges_, {}, &Edge::byte);
  edges_.shrink_to_fit();
  // A counting sort: begins_[n] is where the tokens of n characters are put, and in the end where those of n + 1 begin.
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

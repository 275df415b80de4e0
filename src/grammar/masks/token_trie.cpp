#include "grammar/masks/token_trie.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <string_view>

#include "grammar/masks/byte_kinds.hpp"
#include "grammar/refusal.hpp"

namespace heed::grammar {
namespace {

constexpr std::size_t kMostNodes = (1 << 24) - 1;

/// The bytes of a text as a number, with zeros behind its end.
template <class Number>
Number number_of(std::string_view text) {
  Number number = 0;
  for (std::size_t i = 0; i < sizeof(Number); ++i)
    number = static_cast<Number>(number << 8 | (i < text.size() ? static_cast<unsigned char>(text[i]) : 0));
  return number;
}

/// The first bytes of a text as numbers: all of most texts, so that they are sorted and compared with their neighbors without a
/// look at the texts themselves, which lie anywhere in memory.
struct SortedToken {
  static constexpr std::size_t kFirst = 2, kBytes = 10;  // in `first`; in both

  std::uint64_t next;
  TokenId id;
  std::uint16_t first;
  std::uint16_t size;  // of the text, if it is not longer than kBytes

  SortedToken(std::string_view text, TokenId token)
      : next(number_of<std::uint64_t>(text.substr(std::min(kFirst, text.size())))),
        id(token),
        first(number_of<std::uint16_t>(text)),
        size(static_cast<std::uint16_t>(std::min(text.size(), kBytes + 1))) {}

  bool is_longer() const noexcept { return size > kBytes; }
  std::uint8_t byte(std::size_t at) const noexcept {
    return static_cast<std::uint8_t>(at < kFirst ? first >> (8 * (kFirst - 1 - at)) : next >> (8 * (kBytes - 1 - at)));
  }
};

/// In place: to the bucket of the first two bytes (McIlroy, Bostic and McIlroy, "Engineering radix sort", 1993), then each bucket by
/// `before`.
template <class Before>
void sort_by_first_bytes(std::vector<SortedToken>& tokens, Before before) {
  std::vector<std::uint32_t> ends(1 << (8 * SortedToken::kFirst));
  for (const SortedToken& token : tokens) ++ends[token.first];
  std::inclusive_scan(ends.begin(), ends.end(), ends.begin());
  std::vector<std::uint32_t> next(ends.size());
  std::copy(ends.begin(), ends.end() - 1, next.begin() + 1);
  std::uint32_t begin = 0;
  for (std::size_t bucket = 0; bucket < ends.size(); ++bucket) {
    while (next[bucket] < ends[bucket]) {
      SortedToken& token = tokens[next[bucket]];
      if (token.first == bucket) ++next[bucket];
      else std::swap(token, tokens[next[token.first]++]);
    }
    std::sort(tokens.begin() + begin, tokens.begin() + ends[bucket], before);
    begin = ends[bucket];
  }
}

/// How many bytes two texts begin with in common.
template <class TextOf>
std::size_t common_bytes(const SortedToken& a, const SortedToken& b, TextOf text_of) {
  if (a.first != b.first) return a.first >> 8 == b.first >> 8 ? 1 : 0;
  const auto same = SortedToken::kFirst + static_cast<std::size_t>(std::countl_zero(a.next ^ b.next)) / 8;
  if (same == SortedToken::kBytes && a.is_longer() && b.is_longer()) {
    const std::string_view text = text_of(a);
    return static_cast<std::size_t>(std::ranges::mismatch(text, text_of(b)).in1 - text.begin());
  }
  return std::min<std::size_t>({same, a.size, b.size});
}

}  // namespace

TokenTrie::TokenTrie(TokenTexts texts) : texts_(std::move(texts)), has_twins_(texts_.size()) {
  if (texts_.size() >= Node::kNone) throw Refusal{"too-large", "", "", "the vocabulary has too many tokens"};
  std::vector<SortedToken> tokens;
  tokens.reserve(texts_.size());
  const auto count = static_cast<TokenId>(texts_.size());
  for (TokenId id = 0; id < count; ++id) {
    if (texts_.use(id) == TokenUse::end) ends_.push_back(id);
    const std::string_view text = texts_.text(id);
    if (!texts_.is_written(id) || text.empty()) continue;
    tokens.emplace_back(text, id);
    longest_ = std::max(longest_, text.size());
  }
  const auto text_of = [&](const SortedToken& token) { return texts_.text(token.id); };
  const auto size_of = [&](const SortedToken& token) { return token.is_longer() ? text_of(token).size() : token.size; };
  sort_by_first_bytes(tokens, [&](const SortedToken& a, const SortedToken& b) {
    if (a.next != b.next) return a.next < b.next;
    if (a.is_longer() && b.is_longer())
      if (const int order = text_of(a).compare(text_of(b)); order != 0) return order < 0;
    return std::pair(a.size, a.id) < std::pair(b.size, b.id);
  });

  // Each token adds what it does not have in common with the one before.
  const auto shared = [&](std::size_t i) { return i == 0 ? 0 : common_bytes(tokens[i - 1], tokens[i], text_of); };
  std::size_t total = 0;
  for (std::size_t i = 0; i < tokens.size(); ++i) total += size_of(tokens[i]) - shared(i);
  if (total > kMostNodes) throw Refusal{"too-large", "", "", "the vocabulary's texts are too long"};
  nodes_.reserve(total);
  std::vector<std::uint8_t> characters;  // of each node, how far its last character has been read
  characters.reserve(total);
  std::vector<std::uint32_t> path;  // the nodes of the token before
  const auto leave = [&](std::size_t depth) {
    for (; path.size() > depth; path.pop_back()) nodes_[path.back()].size = (nodes_.size() - path.back()) & kMostNodes;
  };
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const SortedToken& token = tokens[i];
    const std::size_t size = size_of(token), common = shared(i);
    leave(common);
    if (common == size) {
      twins_.emplace_back(static_cast<TokenId>(nodes_[path.back()].token), token.id);
      continue;
    }
    for (std::size_t at = common; at < size; ++at) {
      const std::uint8_t byte = at < SortedToken::kBytes ? token.byte(at) : static_cast<std::uint8_t>(texts_.text(token.id)[at]);
      characters.push_back(read_character_byte(path.empty() ? 0 : characters[path.back()], byte));
      path.push_back(static_cast<std::uint32_t>(nodes_.size()));
      nodes_.push_back({byte, 0, 0, Node::kNone});
    }
    nodes_.back().token = static_cast<std::uint32_t>(token.id) & Node::kNone;
  }
  leave(0);
  std::ranges::sort(twins_);
  for (const auto& [token, twin] : twins_) has_twins_.insert(token);
  find_kinds(characters);
}

/// From the last node to the first, so that what is below a node is known.
void TokenTrie::find_kinds(const std::vector<std::uint8_t>& characters) {
  std::vector<bool> broken(nodes_.size());  // it or something below it is no part of a character
  for (std::size_t node = nodes_.size(); node-- > 0;) {
    unsigned kinds = 0;
    broken[node] = characters[node] == kNoCharacter;
    for (std::size_t below = node + 1, end = node + nodes_[node].size; below < end; below += nodes_[below].size) {
      kinds |= kKindOf[nodes_[below].byte] | (nodes_[below].kinds & ~unsigned{kNoCharacters});
      if (broken[below]) broken[node] = true;
    }
    if (characters[node] != 0 || broken[node]) kinds |= kNoCharacters;
    nodes_[node].kinds = kinds & (2U * kNoCharacters - 1);
  }
}

}  // namespace heed::grammar

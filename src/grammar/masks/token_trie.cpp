#include "grammar/masks/token_trie.hpp"

#include <algorithm>
#include <numeric>
#include <string_view>

#include "grammar/masks/byte_kinds.hpp"
#include "grammar/refusal.hpp"

namespace heed::grammar {
namespace {

constexpr std::size_t kMostNodes = (1 << 24) - 1;

/// Sorted by the first two bytes, then by the next four as a number, which decides for all but a few.
struct SortedToken {
  std::uint32_t next_bytes;
  TokenId id;
};

/// The bytes of a text as a number, with zeros behind its end.
template <class Number>
Number number_of(std::string_view text) {
  Number number = 0;
  for (std::size_t i = 0; i < sizeof(Number); ++i)
    number = static_cast<Number>(number << 8 | (i < text.size() ? static_cast<unsigned char>(text[i]) : 0));
  return number;
}

/// A counting sort by the first two bytes, then each bucket by `before`: half of the comparisons.
template <class TextOf, class Before>
void sort_by_two_bytes(std::vector<SortedToken>& tokens, TextOf text_of, Before before) {
  constexpr std::size_t kBuckets = 1 << 16;
  const auto bucket = [&](const SortedToken& token) { return std::size_t{number_of<std::uint16_t>(text_of(token))}; };
  std::vector<std::uint32_t> ends(kBuckets);
  for (const SortedToken& token : tokens) ++ends[bucket(token)];
  std::exclusive_scan(ends.begin(), ends.end(), ends.begin(), std::uint32_t{0});
  std::vector<SortedToken> sorted(tokens.size());
  for (const SortedToken& token : tokens) sorted[ends[bucket(token)]++] = token;
  tokens = std::move(sorted);
  std::uint32_t begin = 0;
  for (const std::uint32_t end : ends) {
    std::sort(tokens.begin() + begin, tokens.begin() + end, before);
    begin = end;
  }
}

/// Of the trie of sorted tokens: each adds what it does not have in common with the one before.
template <class TextOf>
std::size_t count_nodes(const std::vector<SortedToken>& tokens, TextOf text_of) {
  std::size_t count = 0;
  std::string_view before;
  for (const SortedToken& token : tokens) {
    const std::string_view text = text_of(token);
    count += text.size() - static_cast<std::size_t>(std::ranges::mismatch(before, text).in1 - before.begin());
    before = text;
  }
  return std::min(count, kMostNodes);
}

}  // namespace

TokenTrie::TokenTrie(TokenTexts texts) : texts_(std::move(texts)) {
  std::vector<SortedToken> tokens;
  if (texts_.size() >= Node::kNone) throw Refusal{"too-large", "", "", "the vocabulary has too many tokens"};
  const auto count = static_cast<TokenId>(texts_.size());
  tokens.reserve(texts_.size());
  for (TokenId id = 0; id < count; ++id) {
    if (texts_.use(id) == TokenUse::end) ends_.push_back(id);
    const std::string_view text = texts_.text(id);
    if (!texts_.is_written(id) || text.empty()) continue;
    tokens.push_back({number_of<std::uint32_t>(text.substr(std::min<std::size_t>(2, text.size()))), id});
    longest_ = std::max(longest_, text.size());
  }
  const auto text_of = [&](const SortedToken& token) { return texts_.text(token.id); };
  sort_by_two_bytes(tokens, text_of, [&](const SortedToken& a, const SortedToken& b) {
    if (a.next_bytes != b.next_bytes) return a.next_bytes < b.next_bytes;
    const int order = text_of(a).compare(text_of(b));
    return order != 0 ? order < 0 : a.id < b.id;
  });
  nodes_.reserve(count_nodes(tokens, text_of));

  std::vector<std::uint8_t> characters;  // of each node, how far its last character has been read
  characters.reserve(nodes_.capacity());
  std::vector<std::uint32_t> path;  // the nodes of the token before
  std::string_view before;
  const auto leave = [&](std::size_t depth) {
    for (; path.size() > depth; path.pop_back()) nodes_[path.back()].size = (nodes_.size() - path.back()) & kMostNodes;
  };
  for (const SortedToken& token : tokens) {
    const std::string_view text = text_of(token);
    const auto common = static_cast<std::size_t>(std::ranges::mismatch(before, text).in1 - before.begin());
    leave(common);
    if (common == text.size()) {
      twins_.emplace_back(static_cast<TokenId>(nodes_[path.back()].token), token.id);
      continue;
    }
    if (nodes_.size() + text.size() - common > kMostNodes)
      throw Refusal{"too-large", "", "", "the vocabulary's texts are too long"};
    for (const char byte : text.substr(common)) {
      const auto value = static_cast<unsigned char>(byte);
      characters.push_back(read_character_byte(path.empty() ? 0 : characters[path.back()], value));
      path.push_back(static_cast<std::uint32_t>(nodes_.size()));
      nodes_.push_back({value, 0, 0, Node::kNone});
    }
    nodes_.back().token = static_cast<std::uint32_t>(token.id) & Node::kNone;
    before = text;
  }
  leave(0);
  std::ranges::sort(twins_);
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

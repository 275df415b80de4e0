#include "grammar/masks/token_trie.hpp"

#include <algorithm>
#include <numeric>
#include <string_view>

#include "grammar/refusal.hpp"

namespace heed::grammar {
namespace {

constexpr std::size_t kMostNodes = (1 << 24) - 1;

/// Sorted by the first bytes as a number, which is what decides for all but a few.
struct SortedToken {
  std::uint64_t first_bytes;
  TokenId id;
};

/// A counting sort by the first two bytes, then each bucket by `before`: half of the comparisons.
template <class Before>
void sort_by_two_bytes(std::vector<SortedToken>& tokens, Before before) {
  constexpr std::size_t kBuckets = 1 << 16;
  const auto bucket = [](const SortedToken& token) { return static_cast<std::size_t>(token.first_bytes >> 48); };
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
  const auto count = static_cast<TokenId>(texts_.size());
  tokens.reserve(texts_.size());
  for (TokenId id = 0; id < count; ++id) {
    if (texts_.use(id) == TokenUse::end) ends_.push_back(id);
    const std::string_view text = texts_.text(id);
    if (!texts_.is_written(id) || text.empty()) continue;
    std::uint64_t first_bytes = 0;
    for (std::size_t i = 0; i < 8; ++i)
      first_bytes = first_bytes << 8 | (i < text.size() ? static_cast<unsigned char>(text[i]) : 0);
    tokens.push_back({first_bytes, id});
    longest_ = std::max(longest_, text.size());
  }
  const auto text_of = [&](const SortedToken& token) { return texts_.text(token.id); };
  sort_by_two_bytes(tokens, [&](const SortedToken& a, const SortedToken& b) {
    if (a.first_bytes != b.first_bytes) return a.first_bytes < b.first_bytes;
    const int order = text_of(a).compare(text_of(b));
    return order != 0 ? order < 0 : a.id < b.id;
  });
  nodes_.reserve(count_nodes(tokens, text_of));

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
      twins_.emplace_back(nodes_[path.back()].token, token.id);
      continue;
    }
    if (nodes_.size() + text.size() - common > kMostNodes)
      throw Refusal{"too-large", "", "", "the vocabulary's texts are too long"};
    for (const char byte : text.substr(common)) {
      path.push_back(static_cast<std::uint32_t>(nodes_.size()));
      nodes_.push_back({static_cast<unsigned char>(byte), 0, -1});
    }
    nodes_.back().token = token.id;
    before = text;
  }
  leave(0);
  std::ranges::sort(twins_);
}

}  // namespace heed::grammar

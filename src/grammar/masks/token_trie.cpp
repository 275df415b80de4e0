#include "grammar/masks/token_trie.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <string_view>

#include "grammar/refusal.hpp"

namespace heed::grammar {
namespace {

constexpr unsigned kTokenBits = 21;
constexpr std::uint64_t kMostTokens = (1 << kTokenBits) - 1;
constexpr std::uint16_t kMostBytes = UINT16_MAX - 1, kTwin = UINT16_MAX;
constexpr std::size_t kFirstBytes = 2, kBuckets = 1 << (8 * kFirstBytes);

/// A sort key: kBytes bytes of a text, three bits for its remaining length, and its token. Sorting by keys avoids reading the
/// texts, which are scattered in memory.
struct SortKey {
  static constexpr std::size_t kBytes = 5;

  std::uint64_t number;

  std::uint64_t token() const noexcept { return number & kMostTokens; }
  /// min(size - depth + 1, kBytes + 2) for a text of `size` bytes. size - depth is -1 for texts of one byte, whose depth is
  /// kFirstBytes.
  std::size_t left() const noexcept { return static_cast<std::size_t>(number >> kTokenBits & 7); }
  bool goes_on() const noexcept { return left() == kBytes + 2; }
  bool is_like(SortKey other) const noexcept { return (number ^ other.number) >> kTokenBits == 0; }
};

SortKey sort_key(std::string_view text, std::size_t depth, std::uint64_t token) {
  std::uint64_t bytes = 0;
  for (std::size_t i = depth; i < depth + SortKey::kBytes; ++i)
    bytes = bytes << 8 | (i < text.size() ? static_cast<std::uint8_t>(text[i]) : 0);
  const auto left = std::min<std::uint64_t>(text.size() + 1 - depth, SortKey::kBytes + 2);
  return {(bytes << 3 | left) << kTokenBits | token};
}

/// The length of the common prefix of two texts whose first `depth` bytes are equal and whose keys from there differ.
std::size_t shared_bytes(SortKey a, SortKey b, std::size_t depth) {
  const auto same = static_cast<std::size_t>(std::countl_zero(a.number ^ b.number)) / 8;
  return depth + std::min({same + 1, a.left(), b.left()}) - 1;
}

/// The bucket of a text: its first two bytes, 0 for a missing one.
std::size_t bucket_of(std::string_view text) {
  return static_cast<std::size_t>(static_cast<std::uint8_t>(text[0]) << 8 |
                                  (text.size() > 1 ? static_cast<std::uint8_t>(text[1]) : 0));
}

/// Sorts tokens by their texts: into buckets by their first two bytes, then by keys, and where keys are equal by further bytes.
class Sorter {
 public:
  explicit Sorter(const TokenTexts& texts) : texts_(texts) {
    std::vector<std::uint32_t> ends(kBuckets + 1);  // ends[b]: begin of bucket b; once filled, its end
    each_text([&](std::uint64_t, std::string_view text) { ++ends[bucket_of(text) + 1]; });
    std::inclusive_scan(ends.begin(), ends.end(), ends.begin());
    keys.resize(ends.back());
    shared.resize(ends.back());
    each_text([&](std::uint64_t token, std::string_view text) {
      keys[ends[bucket_of(text)]++] = sort_key(text, kFirstBytes, token).number;
    });
    std::uint32_t begin = 0;
    for (std::size_t bucket = 0, before = kBuckets; bucket < kBuckets; ++bucket) {
      if (begin == ends[bucket]) continue;
      shared[begin] = before >> 8 == bucket >> 8 ? 1 : 0;
      sort({begin, ends[bucket], kFirstBytes});
      begin = ends[bucket];
      before = bucket;
    }
  }

  std::vector<std::uint64_t> keys;
  std::vector<std::uint16_t> shared;  // length of the common prefix with the text before; kTwin if equal

 private:
  /// Keys made of the bytes from `depth` on, of texts whose first `depth` bytes are equal.
  struct Range {
    std::uint32_t begin, end;
    std::size_t depth;
  };

  template <class Visit>
  void each_text(Visit visit) const {
    for (TokenId token = 0; texts_.contains(token); ++token)
      if (texts_.is_written(token) && !texts_.text(token).empty())
        visit(static_cast<std::uint64_t>(token) & kMostTokens, texts_.text(token));
  }

  void sort(Range range) {
    sort_by_keys(range);
    while (!further_.empty()) {
      range = further_.back();
      further_.pop_back();
      for (std::uint32_t i = range.begin; i < range.end; ++i) {
        const std::uint64_t token = SortKey(keys[i]).token();
        keys[i] = sort_key(texts_.text(static_cast<TokenId>(token)), range.depth, token).number;
      }
      sort_by_keys(range);
    }
  }
  void sort_by_keys(const Range& range) {
    const auto [begin, end, depth] = range;
    std::sort(keys.begin() + begin, keys.begin() + end);
    for (std::uint32_t i = begin, next; i < end; i = next) {
      const SortKey key(keys[i]);
      for (next = i + 1; next < end && key.is_like(SortKey(keys[next])); ++next) shared[next] = kTwin;
      if (next < end) shared[next] = static_cast<std::uint16_t>(shared_bytes(key, SortKey(keys[next]), depth));
      if (next - i > 1 && key.goes_on()) further_.push_back({i, next, depth + SortKey::kBytes});
    }
  }

  const TokenTexts& texts_;
  std::vector<Range> further_;
};

}  // namespace

TokenTrie::TokenTrie(TokenTexts texts) : texts_(std::move(texts)), has_twins_(texts_.size()) {
  if (texts_.size() > kMostTokens) throw Refusal{"too-large", "", "", "the vocabulary has too many tokens"};
  for (TokenId id = 0; texts_.contains(id); ++id) {
    if (texts_.use(id) == TokenUse::end) ends_.push_back(id);
    longest_ = std::max(longest_, texts_.text(id).size());
  }
  if (longest_ > kMostBytes) throw Refusal{"too-large", "", "", "the vocabulary's texts are too long"};
  Sorter sorter(texts_);
  words_ = std::move(sorter.keys);
  std::uint32_t count = 0;
  for (std::size_t i = 0; i < words_.size(); ++i) {
    const std::uint64_t token = SortKey(words_[i]).token();
    if (sorter.shared[i] == kTwin) twins_.emplace_back(this->token(count - 1), static_cast<TokenId>(token));
    else words_[count++] = std::bit_cast<std::uint64_t>(Entry{token, 1, sorter.shared[i]});
  }
  words_.resize(count);
  std::ranges::sort(twins_);
  for (const auto& [token, twin] : twins_) has_twins_.insert(token);
  // Backwards, so that the spans of the entries below are known.
  for (std::uint32_t i = count; i-- > 0;) {
    Entry at = entry(i);
    std::uint32_t next = i + 1;
    while (next < count && entry(next).shared > at.shared) next += static_cast<std::uint32_t>(entry(next).span);
    at.span = (next - i) & kMostTokens;
    words_[i] = std::bit_cast<std::uint64_t>(at);
  }
}

std::uint32_t TokenTrie::end(std::uint32_t entry, std::uint32_t depth) const noexcept {
  const Entry at = this->entry(entry);
  if (depth == at.shared) return entry + static_cast<std::uint32_t>(at.span);
  std::uint32_t next = entry + 1;
  while (next < size() && this->entry(next).shared > depth) next += static_cast<std::uint32_t>(this->entry(next).span);
  return next;
}

}  // namespace heed::grammar

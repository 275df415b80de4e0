#include "tokenizer/special_tokens.hpp"

#include <algorithm>
#include <map>
#include <queue>

namespace heed::tokenizer {
namespace {

unsigned char byte_at(std::string_view text, std::size_t i) { return static_cast<unsigned char>(text[i]); }

}  // namespace

SpecialTokens::SpecialTokens(const Vocabulary& vocabulary, std::vector<TokenId> ids)
    : vocabulary_(&vocabulary), by_text_(std::move(ids)) {
  const auto by_text = [&](TokenId a, TokenId b) { return vocabulary.text(a) < vocabulary.text(b); };
  std::make_heap(by_text_.begin(), by_text_.end(), by_text);  // a fraction of std::sort in the wasm module
  std::sort_heap(by_text_.begin(), by_text_.end(), by_text);
  for (TokenId id : by_text_) ++first_byte_[byte_at(vocabulary.text(id), 0) + 1U];
  for (std::size_t b = 1; b < first_byte_.size(); ++b) first_byte_[b] += first_byte_[b - 1];
}

SpecialTokens::Occurrence SpecialTokens::longest_prefix(std::string_view text) const noexcept {
  Occurrence longest{0, 0, -1};
  if (text.empty()) return longest;
  // Narrow the range of those that agree with the text, byte by byte. One that ends there comes first.
  auto first = by_text_.begin() + static_cast<std::ptrdiff_t>(first_byte_[byte_at(text, 0)]);
  auto last = by_text_.begin() + static_cast<std::ptrdiff_t>(first_byte_[byte_at(text, 0) + 1U]);
  for (std::size_t agreed = 1; first != last; ++agreed) {
    if (length(*first) == agreed) longest = {0, agreed, *first++};
    if (agreed == text.size()) break;
    const auto byte = [&](TokenId id) { return byte_at(vocabulary_->text(id), agreed); };
    const unsigned char wanted = byte_at(text, agreed);
    first = std::partition_point(first, last, [&](TokenId id) { return byte(id) < wanted; });
    last = std::partition_point(first, last, [&](TokenId id) { return byte(id) == wanted; });
  }
  return longest;
}

std::vector<SpecialTokens::Occurrence> SpecialTokens::find(std::string_view text) const {
  const auto longer_or_further_left = [](const Occurrence& a, const Occurrence& b) {
    const std::size_t a_length = a.end - a.begin, b_length = b.end - b.begin;
    if (a_length != b_length) return a_length < b_length;
    return a.id != b.id ? a.id > b.id : a.begin > b.begin;
  };
  std::priority_queue<Occurrence, std::vector<Occurrence>, decltype(longer_or_further_left)> candidates(
      longer_or_further_left);
  const auto propose = [&](std::size_t begin, std::size_t limit) {
    const Occurrence found = longest_prefix(text.substr(begin, limit - begin));
    if (found.end > 0) candidates.push({begin, begin + found.end, found.id});
  };

  for (std::size_t i = 0; i < text.size(); ++i) {
    if (first_byte_[byte_at(text, i)] != first_byte_[byte_at(text, i) + 1U]) propose(i, text.size());
  }
  std::map<std::size_t, Occurrence> accepted;  // by where they begin
  while (!candidates.empty()) {
    const Occurrence best = candidates.top();
    candidates.pop();
    const auto next = accepted.lower_bound(best.begin);
    if (next != accepted.begin() && std::prev(next)->second.end > best.begin) continue;
    const std::size_t limit = next == accepted.end() ? text.size() : next->first;
    if (best.end <= limit) {
      accepted.emplace_hint(next, best.begin, best);
    } else {
      propose(best.begin, limit);
    }
  }
  std::vector<Occurrence> occurrences;
  occurrences.reserve(accepted.size());
  for (const auto& [begin, occurrence] : accepted) occurrences.push_back(occurrence);
  return occurrences;
}

}  // namespace heed::tokenizer

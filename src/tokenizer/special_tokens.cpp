#include "tokenizer/special_tokens.hpp"

#include <map>
#include <queue>

namespace heed::tokenizer {
std::vector<SpecialTokens::Occurrence> SpecialTokens::find(std::string_view text) const {
  const auto longer_or_further_left = [](const Occurrence& a, const Occurrence& b) {
    const std::size_t a_length = a.end - a.begin, b_length = b.end - b.begin;
    if (a_length != b_length) return a_length < b_length;
    return a.id != b.id ? a.id > b.id : a.begin > b.begin;
  };
  std::priority_queue<Occurrence, std::vector<Occurrence>, decltype(longer_or_further_left)> candidates(
      longer_or_further_left);
  const auto propose = [&](std::size_t begin, std::size_t limit) {
    const auto found = texts_.longest_prefix(text.substr(begin, limit - begin));
    if (found.length > 0) candidates.push({begin, begin + found.length, found.id});
  };

  for (std::size_t i = 0; i < text.size(); ++i) propose(i, text.size());
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

#include "tokenizer/special_tokens.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace heed::tokenizer {

SpecialTokens::SpecialTokens(const Vocabulary& vocabulary, std::vector<TokenId> anywhere, std::vector<TokenId> control)
    : anywhere_(vocabulary, anywhere), all_(vocabulary, [&] {
        control.insert(control.end(), anywhere.begin(), anywhere.end());
        return std::move(control);
      }()) {}

std::vector<SpecialTokens::Occurrence> SpecialTokens::find(std::string_view text, std::span<const Stretch> control) const {
  // The end of the stretch that contains byte `i`; `i` if there is none.
  const auto control_end = [&](std::size_t i) {
    const auto next = std::upper_bound(control.begin(), control.end(), i,
                                       [](std::size_t at, const Stretch& stretch) { return at < stretch.begin; });
    return next == control.begin() ? i : std::max(i, (next - 1)->end);
  };
  const auto match_in = [&](std::size_t begin, std::size_t end) {
    const std::size_t limit = std::min(end, control.empty() ? begin : control_end(begin));
    const auto match = all_.longest_prefix(text.substr(begin, limit - begin));
    if (limit == end) return match;
    const auto other = anywhere_.longest_prefix(text.substr(begin, end - begin));
    return other.length > match.length ? other : match;
  };

  std::vector<Occurrence> found;  // sorted by position
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto match = match_in(i, text.size());
    if (match.length > 0) found.push_back({i, i + match.length, match.id});
  }
  if (found.empty()) return found;

  std::vector<std::uint32_t> queue(found.size());  // a heap
  for (std::size_t i = 0; i < queue.size(); ++i) queue[i] = static_cast<std::uint32_t>(i);
  const auto goes_later = [&](std::uint32_t left, std::uint32_t right) {
    const Occurrence &a = found[left], &b = found[right];
    const std::size_t a_length = a.end - a.begin, b_length = b.end - b.begin;
    if (a_length != b_length) return a_length < b_length;
    return a.id != b.id ? a.id > b.id : a.begin > b.begin;
  };
  std::make_heap(queue.begin(), queue.end(), goes_later);
  std::vector<bool> covered(text.size());
  while (!queue.empty()) {
    std::pop_heap(queue.begin(), queue.end(), goes_later);
    Occurrence& best = found[queue.back()];
    std::size_t limit = best.begin;
    while (limit < best.end && !covered[limit]) ++limit;
    if (limit == best.end) {
      for (std::size_t i = best.begin; i < best.end; ++i) covered[i] = true;
      queue.pop_back();
      continue;
    }
    // A shorter token may fit before the overlap.
    const auto match = match_in(best.begin, limit);
    best = {best.begin, best.begin + match.length, match.id};
    if (match.length > 0) {
      std::push_heap(queue.begin(), queue.end(), goes_later);
    } else {
      queue.pop_back();
    }
  }
  std::erase_if(found, [](const Occurrence& occurrence) { return occurrence.id < 0; });
  return found;
}

}  // namespace heed::tokenizer

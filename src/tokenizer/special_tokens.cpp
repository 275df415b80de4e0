#include "tokenizer/special_tokens.hpp"

#include <algorithm>
#include <cstdint>

namespace heed::tokenizer {

std::vector<SpecialTokens::Occurrence> SpecialTokens::find(std::string_view text) const {
  std::vector<Occurrence> found;  // by where they begin
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto match = texts_.longest_prefix(text.substr(i));
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
  std::vector<bool> taken(text.size());
  while (!queue.empty()) {
    std::pop_heap(queue.begin(), queue.end(), goes_later);
    Occurrence& best = found[queue.back()];
    std::size_t limit = best.begin;
    while (limit < best.end && !taken[limit]) ++limit;
    if (limit == best.end) {
      for (std::size_t i = best.begin; i < best.end; ++i) taken[i] = true;
      queue.pop_back();
      continue;
    }
    // A shorter token may fit before what is taken.
    const auto match = texts_.longest_prefix(text.substr(best.begin, limit - best.begin));
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

#include "grammar/schema/regular_sizes.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace heed::grammar {

// Iterates over lengths, counting the ways to reach each derivative. Derivatives other than kNothing have texts, so the sum of the
// ways is a lower bound.
std::uint64_t count_texts(RegularPool& pool, Regular regular, std::uint64_t limit, Budget& budget) {
  std::uint64_t found = 0;
  std::map<Regular, std::uint64_t> level;
  if (!pool.is_nothing(regular)) level[regular] = 1;
  while (!level.empty()) {
    std::uint64_t ways = 0;
    for (const auto& [derivative, count] : level) ways = std::min(limit, ways + count);
    if (found + ways >= limit) return limit;
    std::map<Regular, std::uint64_t> next;
    for (const auto& [derivative, count] : level) {
      if (pool.accepts_empty(derivative)) found += count;
      budget.spend(16);
      const ByteClasses& bytes = pool.classes(derivative);
      for (const std::uint8_t byte : bytes.first_of) {
        const Regular after = pool.derive(derivative, byte);
        if (after == Regular::kNothing) continue;
        const auto alike = static_cast<std::uint64_t>(std::ranges::count(bytes.of, bytes.of[byte]));
        next[after] = std::min(limit, next[after] + alike * count);
      }
    }
    if (found >= limit) return limit;
    level = std::move(next);
  }
  return found;
}

std::optional<std::vector<std::string>> texts_of(RegularPool& pool, Regular regular, std::size_t limit, Budget& budget) {
  if (count_texts(pool, regular, limit + 1, budget) > limit) return std::nullopt;
  std::vector<std::string> texts;
  std::vector<std::pair<std::string, Regular>> level;
  if (!pool.is_nothing(regular)) level.emplace_back("", regular);
  while (!level.empty()) {
    std::vector<std::pair<std::string, Regular>> next;
    for (const auto& [text, derivative] : level) {
      if (pool.accepts_empty(derivative)) texts.push_back(text);
      budget.spend(16);
      for (int byte = 0; byte < 256; ++byte) {
        const Regular after = pool.derive(derivative, static_cast<std::uint8_t>(byte));
        if (after != Regular::kNothing) next.emplace_back(text + static_cast<char>(byte), after);
      }
    }
    level = std::move(next);
  }
  return texts;
}

}  // namespace heed::grammar

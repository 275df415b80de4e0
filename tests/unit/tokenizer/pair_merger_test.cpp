#include "tokenizer/pair_merger.hpp"

#include <catch2/catch_test_macros.hpp>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

using namespace heed::tokenizer;

namespace {

using Pairs = std::map<std::pair<std::string, std::string>, std::uint32_t>;

// The definition: look for the best pair, leftmost among equals, join it, start again.
std::vector<std::string> merge_naively(const std::string& text, const Pairs& pairs) {
  std::vector<std::string> symbols;
  for (char c : text) symbols.emplace_back(1, c);
  for (;;) {
    std::optional<std::size_t> best;
    std::uint32_t best_order = 0;
    for (std::size_t i = 0; i + 1 < symbols.size(); ++i) {
      const auto found = pairs.find({symbols[i], symbols[i + 1]});
      if (found == pairs.end() || (best && found->second >= best_order)) continue;
      best = i;
      best_order = found->second;
    }
    if (!best) return symbols;
    symbols[*best] += symbols[*best + 1];
    symbols.erase(symbols.begin() + static_cast<std::ptrdiff_t>(*best) + 1);
  }
}

std::vector<std::string> merge(PairMerger& merger, const std::string& text, const Pairs& pairs) {
  merger.clear();
  for (char c : text) merger.push(c, 1);
  const auto part = [&](const PairMerger::Symbol& symbol) { return text.substr(symbol.begin, symbol.length); };
  std::vector<std::string> symbols;
  merger.merge(
      [&](const auto& left, const auto& right) -> std::optional<Merge> {
        const auto found = pairs.find({part(left), part(right)});
        if (found == pairs.end()) return std::nullopt;
        return Merge{found->second, 0};
      },
      [&](const auto& symbol) { symbols.push_back(part(symbol)); });
  return symbols;
}

}  // namespace

TEST_CASE("merging takes the best pair first and the leftmost among equals", "[tokenizer]") {
  PairMerger merger;
  CHECK(merge(merger, "", {}).empty());
  CHECK(merge(merger, "a", {}) == std::vector<std::string>{"a"});
  CHECK(merge(merger, "aaa", {{{"a", "a"}, 0}}) == std::vector<std::string>{"aa", "a"});
  CHECK(merge(merger, "abc", {{{"a", "b"}, 1}, {{"b", "c"}, 0}}) == std::vector<std::string>{"a", "bc"});
  // A pair proposed before a neighbor grew is stale.
  const Pairs stale = {{{"a", "b"}, 2}, {{"b", "c"}, 1}, {{"bc", "d"}, 0}, {{"a", "bcd"}, 3}};
  CHECK(merge(merger, "abcd", stale) == std::vector<std::string>{"abcd"});
}

TEST_CASE("merging with a queue is the same as merging by definition", "[tokenizer]") {
  std::mt19937 random(1);
  const auto below = [&](std::uint32_t n) { return static_cast<std::uint32_t>(random() % n); };
  PairMerger merger;
  for (int round = 0; round < 300; ++round) {
    const std::uint32_t letters = 1 + below(3);
    std::vector<std::string> parts;
    for (std::uint32_t i = 0; i < letters; ++i) parts.emplace_back(1, static_cast<char>('a' + i));
    Pairs pairs;
    for (std::uint32_t order = 0; order < 12; ++order) {
      const std::string left = parts[below(static_cast<std::uint32_t>(parts.size()))];
      const std::string right = parts[below(static_cast<std::uint32_t>(parts.size()))];
      // SentencePiece has pairs of equal score.
      pairs.emplace(std::pair(left, right), round % 2 == 0 ? order : order / 3);
      parts.push_back(left + right);
    }
    std::string text;
    for (std::uint32_t n = below(60); n > 0; --n) text.push_back(static_cast<char>('a' + below(letters)));
    REQUIRE(merge(merger, text, pairs) == merge_naively(text, pairs));
  }
}

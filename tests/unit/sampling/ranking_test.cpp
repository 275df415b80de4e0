#include "sampling/ranking.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <limits>
#include <numeric>
#include <random>

using heed::sampling::Ranking;

TEST_CASE("a ranking equals a stable sort, however far it is read", "[sampling]") {
  std::mt19937 random(3);
  for (const std::size_t size : {1, 2, 63, 64, 65, 300, 5000}) {
    std::vector<float> scores(size);
    for (auto& score : scores) score = static_cast<float>(random() % 50);  // many equal ones
    scores[size / 2] = -std::numeric_limits<float>::infinity();
    std::vector<std::int32_t> expected(size);
    std::iota(expected.begin(), expected.end(), 0);
    std::ranges::stable_sort(expected, std::ranges::greater{}, [&](std::int32_t id) { return scores[id]; });

    Ranking ranking;
    for (const std::size_t first : {std::size_t{0}, size / 3, size - 1}) {
      ranking.assign(scores);
      REQUIRE(ranking.size() == size);
      CHECK(ranking[first] == expected[first]);
      bool equal = true;
      for (std::size_t rank = 0; rank < size; ++rank) equal = equal && ranking[rank] == expected[rank];
      CHECK(equal);
    }
  }
}

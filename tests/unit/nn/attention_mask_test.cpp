#include "nn/attention_mask.hpp"

#include <catch2/catch_test_macros.hpp>
#include <vector>

using namespace heed;
using nn::AttentionMask, nn::Mask, nn::PositionRange;

namespace {

/// What each of the tokens 4 to 7 of a text of 10 positions attends to.
std::vector<std::pair<std::size_t, std::size_t>> seen(const AttentionMask& mask, const PositionRange* groups = nullptr) {
  nn::KvCachePool pool({}, KvType::f32);
  nn::KvCache cache(pool);
  const nn::Segment segment{.cache = cache, .position = 4, .count = 4, .groups = groups};
  std::vector<std::pair<std::size_t, std::size_t>> ranges;
  for (std::size_t t = 0; t < segment.count; ++t) {
    const auto [begin, end] = mask.seen_from(segment, t, 10);
    ranges.emplace_back(begin, end);
  }
  return ranges;
}

using Ranges = std::vector<std::pair<std::size_t, std::size_t>>;

}  // namespace

TEST_CASE("a mask says which positions each query attends to", "[nn][window]") {
  CHECK(seen({.kind = Mask::causal}) == Ranges{{0, 5}, {0, 6}, {0, 7}, {0, 8}});
  CHECK(seen({.kind = Mask::earlier}) == Ranges{{0, 4}, {0, 5}, {0, 6}, {0, 7}});
  CHECK(seen({.kind = Mask::none}) == Ranges{{0, 10}, {0, 10}, {0, 10}, {0, 10}});
  CHECK(seen({.kind = Mask::causal, .window = 1}) == Ranges{{4, 5}, {5, 6}, {6, 7}, {7, 8}});
  CHECK(seen({.kind = Mask::causal, .window = 6}) == Ranges{{0, 5}, {0, 6}, {1, 7}, {2, 8}});
  CHECK(seen({.kind = Mask::none, .window = 6}) == Ranges{{1, 8}, {2, 9}, {3, 10}, {4, 10}});
  CHECK(seen({.kind = Mask::causal, .window = 3, .chunked = true}) == Ranges{{3, 5}, {3, 6}, {6, 7}, {6, 8}});
}

TEST_CASE("a mask of groups has their positions, and a row of a tile attends to the later ones", "[nn][window]") {
  const PositionRange groups[] = {{4, 6}, {4, 6}, {6, 8}, {6, 8}};
  CHECK(seen({.kind = Mask::group}, groups) == Ranges{{4, 6}, {4, 6}, {6, 8}, {6, 8}});
  CHECK(seen({.kind = Mask::causal, .whole_tiles = true}, groups) == Ranges{{0, 6}, {0, 6}, {0, 8}, {0, 8}});
  CHECK(seen({.kind = Mask::causal, .whole_tiles = true}) == Ranges{{0, 5}, {0, 6}, {0, 7}, {0, 8}});
  const PositionRange none[] = {{}, {}, {}, {}};
  CHECK(seen({.kind = Mask::causal, .window = 2, .whole_tiles = true}, none) == Ranges{{3, 5}, {4, 6}, {5, 7}, {6, 8}});
}

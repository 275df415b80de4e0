// Patches in windows: each once, in groups of neighbors.
#include "nn/patch_order.hpp"

#include <catch2/catch_test_macros.hpp>
#include <set>
#include <vector>

using namespace heed;

TEST_CASE("patches of a window follow one another, and see each other only", "[nn][vision]") {
  for (const nn::PatchGrid grid : {nn::PatchGrid{7, 5}, {1, 1}, {4, 4}, {3, 9}})
    for (const std::size_t window : {0, 1, 2, 4, 100}) {
      INFO(grid.columns << " x " << grid.rows << " in windows of " << window);
      const std::size_t count = grid.count();
      std::vector<std::size_t> order(count);
      std::vector<nn::Coordinates> places(count);
      std::vector<nn::PositionRange> groups(count);
      nn::order_patches(grid, window, order.data(), places.data(), groups.data());
      CHECK(std::set(order.begin(), order.end()).size() == count);
      for (std::size_t t = 0; t < count; ++t) {
        const std::size_t row = places[t][nn::Axis::row], column = places[t][nn::Axis::column];
        CHECK(order[t] == row * grid.columns + column);
        if (window == 0) CHECK((order[t] == t && groups[t].begin == 0 && groups[t].end == count));
        for (std::size_t other = 0; other < count; ++other) {
          const bool together = window == 0 || (places[other][nn::Axis::row] / window == row / window &&
                                                places[other][nn::Axis::column] / window == column / window);
          CHECK((other >= groups[t].begin && other < groups[t].end) == together);
        }
      }
    }
}

#include "runtime/speculation/worth.hpp"

#include <algorithm>

namespace heed::runtime {

std::size_t worthwhile(std::span<const Guess> guesses, std::size_t others, const PassCosts& costs) noexcept {
  if (others >= PassCosts::kMost) return 0;
  const double alone = costs.of(others);
  if (alone == 0) return 0;
  double expected = static_cast<double>(others), probability = 1, best_rate = expected / alone;
  std::size_t best = 0;
  for (std::size_t i = 0; i < std::min(guesses.size(), PassCosts::kMost - others); ++i) {
    probability *= guesses[i].probability;
    expected += probability;
    const double rate = expected / costs.of(others + i + 1);
    if (rate > best_rate) {
      best_rate = rate;
      best = i + 1;
    }
  }
  return best;
}

}  // namespace heed::runtime

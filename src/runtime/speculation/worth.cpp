#include "runtime/speculation/worth.hpp"

#include <algorithm>

namespace heed::runtime {

std::size_t worthwhile(std::span<const Guess> guesses, std::size_t beside, const PassCosts& costs) noexcept {
  if (beside >= PassCosts::kMost) return 0;
  const double alone = costs.of(beside);
  if (alone == 0) return 0;
  double expected = static_cast<double>(beside), probability = 1, best_rate = expected / alone;
  std::size_t best = 0;
  for (std::size_t i = 0; i < std::min(guesses.size(), PassCosts::kMost - beside); ++i) {
    probability *= guesses[i].probability;
    expected += probability;
    const double rate = expected / costs.of(beside + i + 1);
    if (rate > best_rate) {
      best_rate = rate;
      best = i + 1;
    }
  }
  return best;
}

}  // namespace heed::runtime

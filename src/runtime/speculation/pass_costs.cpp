#include "runtime/speculation/pass_costs.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/kernels.hpp"

namespace heed::runtime {
namespace {

/// The assumed cost of each further token, relative to that of a measured pass.
constexpr double kFurtherToken = 0.08;
/// Kernels process tiles of this many tokens: a pass that fills its last tile may take less time than one of fewer tokens.
constexpr std::size_t kTile = kernels::kTokenGroup;

}  // namespace

double PassCosts::Cost::best() const noexcept {
  return *std::min_element(last.begin(), last.begin() + static_cast<std::ptrdiff_t>(std::min(count, kSamples)));
}

void PassCosts::record(std::size_t tokens, double seconds) noexcept {
  if (tokens > kMost) return;
  for (Cost& other : costs_) other.age = std::min(other.age + 1, kForgotten);
  Cost& cost = costs_[tokens];
  if (cost.age > kForgotten - 1) cost.count = 0;
  cost.last[cost.count++ % kSamples] = seconds;
  cost.age = 0;
}

double PassCosts::of(std::size_t tokens) const noexcept {
  if (costs_[tokens].known()) return costs_[tokens].best();
  std::size_t below = tokens, above = tokens;
  while (below > 0 && !costs_[below].known()) --below;
  while (above <= kMost && !costs_[above].known()) ++above;
  if (below == 0) return above <= kMost ? costs_[above].best() : 0;
  const double least = costs_[below].best(), distance = static_cast<double>(tokens - below);
  double guess = HUGE_VAL;
  for (std::size_t fewer = below; fewer > 0; --fewer) {
    if (!costs_[fewer].known()) continue;
    guess = std::min(guess, costs_[fewer].best() * (1 + kFurtherToken * static_cast<double>(tokens - fewer)));
    if (tokens % kTile != 0 || fewer % kTile == 0) break;
  }
  if (above > kMost) return guess;
  const double most = costs_[above].best(), share = distance / static_cast<double>(above - below);
  return std::min(guess, least + share * (most - least));
}

}  // namespace heed::runtime

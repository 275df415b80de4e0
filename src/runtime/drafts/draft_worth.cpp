#include "runtime/drafts/draft_worth.hpp"

namespace heed::runtime {

double DraftCosts::Cost::best() const noexcept {
  return count == 0 ? 0 : *std::min_element(last.begin(), last.begin() + static_cast<std::ptrdiff_t>(std::min(count, kSamples)));
}

void DraftCosts::record(bool first, double seconds) noexcept {
  Cost& cost = first ? first_ : further_;
  cost.last[cost.count++ % kSamples] = seconds;
}

double DraftCosts::of(std::size_t first_steps, std::size_t steps) const noexcept {
  const double further = further_.count == 0 ? first_.best() : further_.best();
  return static_cast<double>(first_steps) * first_.best() + static_cast<double>(steps - first_steps) * further;
}

/// Compares the best rate of what has been drafted with the best that further tokens may give.
bool DraftWorth::goes_on(std::span<const Guess> drafted, std::size_t most, std::size_t others, const PassCosts& passes,
                         const DraftCosts& costs) const noexcept {
  most = std::min(most, PassCosts::kMost - std::min(PassCosts::kMost, others));
  const double alone = passes.of(others);
  if (alone == 0 || drafted.size() >= most) return false;
  double probability = 1, expected = static_cast<double>(others), stopping = expected / alone, further = 0;
  if (!drafted.empty()) stopping = expected / (alone + costs.of(1, drafted.size()));
  for (std::size_t i = 0; i < most; ++i) {
    const bool known = i < drafted.size();
    probability *= known ? drafted[i].probability : share(i);
    expected += probability;
    const double rate = expected / (passes.of(others + i + 1) + costs.of(1, std::max(drafted.size(), i + 1)));
    double& best = known ? stopping : further;
    best = std::max(best, rate);
  }
  constexpr double kLeastGain = 1.03;
  return further > stopping * kLeastGain;
}

bool DraftWorth::begins(std::size_t most, std::size_t others, const PassCosts& passes, const DraftCosts& costs) noexcept {
  if (drafted_.falls_short_of(plain_)) {
    drafted_ = {};
    paused_ = true;
    waited_ = 0;
    pause_ = std::min(2 * pause_, kMostPause);
  }
  if (paused_ && ++waited_ < pause_) return false;
  paused_ = false;
  if (goes_on({}, most, others, passes, costs)) {
    if (++turns_ < kTurns) return true;
    turns_ = 0;
    return false;
  }
  if (++waited_ < pause_) return false;
  pause_ = std::min(2 * pause_, kMostPause);
  waited_ = 0;
  return passes.of(others) > 0;
}

void DraftWorth::took(bool drafted, double seconds, std::size_t tokens) noexcept {
  (drafted ? drafted_ : plain_).add(static_cast<double>(tokens), seconds);
  if (drafted && !drafted_.falls_short_of(plain_) && plain_.falls_short_of(drafted_)) pause_ = kLeastPause;
}

void DraftWorth::verified(std::size_t guessed, std::size_t right) noexcept {
  for (std::size_t i = 0; i < guessed && i <= right; ++i) places_[std::min(i, places_.size() - 1)].add(i < right);
}

}  // namespace heed::runtime

#include "runtime/drafts/draft_worth.hpp"

namespace heed::runtime {
namespace {

constexpr double kLeastGain = 1.03;
constexpr double kLeastHope = 1.15;  // the gain that a trial must promise

}  // namespace

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

/// The odds at this confidence, times the odds at this text and place relative to the odds of all verified tokens.
double DraftCosts::probability(double confidence, double share) const noexcept {
  const auto odds = [](double probability) {
    constexpr double kLeast = 0.02;
    const double bounded = std::clamp(probability, kLeast, 1 - kLeast);
    return bounded / (1 - bounded);
  };
  const double all = odds(shares_[class_of(confidence)].value()) * odds(share) / odds(all_.value());
  return all / (1 + all);
}

DraftWorth::Rates DraftWorth::rates(std::span<const Guess> drafted, std::size_t most, std::size_t others, const PassCosts& passes,
                                    const DraftCosts& costs, bool right) const noexcept {
  if (others >= PassCosts::kMost) return {1, 0};
  most = std::min({most, reach_, PassCosts::kMost - others});
  const double alone = passes.of(others);
  if (alone == 0 || drafted.size() >= most) return {1, 0};
  double probability = 1, expected = static_cast<double>(others);
  Rates best{expected / (alone + (drafted.empty() ? 0 : costs.of(1, drafted.size()))), 0};
  for (std::size_t i = 0; i < most; ++i) {
    const bool known = i < drafted.size();
    probability *= known ? drafted[i].probability : right ? 1 : share(i);
    expected += probability;
    const double rate = expected / (passes.of(others + i + 1) + costs.of(1, std::max(drafted.size(), i + 1)));
    double& of = known ? best.stopping : best.further;
    of = std::max(of, rate);
  }
  return best;
}

bool DraftWorth::goes_on(std::span<const Guess> drafted, std::size_t most, std::size_t others, const PassCosts& passes,
                         const DraftCosts& costs) const noexcept {
  return rates(drafted, most, others, passes, costs, false).gains(kLeastGain);
}

bool DraftWorth::begins(bool open, std::size_t most, std::size_t others, const PassCosts& passes,
                        const DraftCosts& costs) noexcept {
  if (open && goes_on({}, most, others, passes, costs)) return true;
  if (++waited_ < pause_ || !rates({}, most, others, passes, costs, true).gains(kLeastHope)) return false;
  pause_ = std::min(2 * pause_, kMostPause);
  waited_ = 0;
  return true;
}

void DraftWorth::verified(std::size_t guessed, std::size_t right) noexcept {
  for (std::size_t i = 0; i < guessed && i <= right; ++i) places_[std::min(i, places_.size() - 1)].add(i < right);
  if (right == 0) return;
  reach_ = std::min(2 * reach_, places_.size());
  pause_ = waited_ = kLeastPause;
}

void DraftWorth::begin_text() noexcept {
  constexpr double kWeight = 2;
  for (Share& place : places_) place.weaken(kWeight);
  reach_ = 1;
  constexpr std::size_t kFirstPause = 16;
  pause_ = std::min(pause_, kFirstPause);
}

}  // namespace heed::runtime

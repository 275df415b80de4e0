#include "runtime/thread_tuner.hpp"

#include <algorithm>

namespace heed::runtime {

ThreadTuner::ThreadTuner(std::size_t most) noexcept {
  for (const std::size_t threads : {most, most * 3 / 4, most / 2, std::size_t{1}})
    if (threads > 0 && (count_ == 0 || threads < choices_[count_ - 1].threads)) choices_[count_++].threads = threads;
}

/// The first choice that has not been tried often enough to know it; count_ if there is none.
std::size_t ThreadTuner::untried() noexcept {
  const auto found = std::ranges::find_if(choices(), [](const Choice& c) { return c.tries < kFirstTries; });
  return static_cast<std::size_t>(found - choices().begin());
}

std::size_t ThreadTuner::choose() noexcept {
  if (const std::size_t first = untried(); first < count_) {
    running_ = first;
  } else if (count_ > 1 && until_trial_ <= 0) {
    next_trial_ = (next_trial_ + 1) % count_;
    if (next_trial_ == fastest_) next_trial_ = (next_trial_ + 1) % count_;
    running_ = next_trial_;
  } else {
    running_ = fastest_;
  }
  return choices_[running_].threads;
}

void ThreadTuner::record(double cost) noexcept {
  constexpr double kWeight = 0.25;     // of the newest pass in the mean
  constexpr double kSlower = 1.2;      // a change worth looking around for
  Choice& ran = choices_[running_];
  const bool learning = ran.tries < kFirstTries;
  if (learning) ran.cost = ran.tries == 0 ? cost : std::min(ran.cost, cost);  // the first runs code and memory warm
  else if (running_ == fastest_) ran.cost += kWeight * (cost - ran.cost);
  else ran.cost = cost;
  ++ran.tries;

  const std::size_t before = fastest_;
  const auto known = choices().first(untried());
  if (!known.empty())
    fastest_ = static_cast<std::size_t>(std::ranges::min_element(known, {}, &Choice::cost) - known.begin());
  if (learning) return void(cost_at_trial_ = choices_[fastest_].cost);

  if (running_ != before) {  // a trial
    interval_ = fastest_ == before ? std::min(2 * interval_, kRarely) : kSoon;
    until_trial_ = interval_;
    cost_at_trial_ = choices_[fastest_].cost;
  } else {
    --until_trial_;
    if (choices_[fastest_].cost > kSlower * cost_at_trial_) {
      interval_ = kSoon;
      until_trial_ = std::min(until_trial_, 0);
    }
  }
}

}  // namespace heed::runtime

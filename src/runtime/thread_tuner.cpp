#include "runtime/thread_tuner.hpp"

#include <algorithm>

namespace heed::runtime {
namespace {

constexpr int kSoon = 8;           // passes between trials after a change
constexpr int kPatience = 32;      // how many passes an overdue trial waits for a cheap pass
constexpr double kSlower = 1.25;   // cost relative to the last trial that causes a new trial
constexpr double kBetter = 0.95;   // cost relative to the fastest number's below which a trial's number replaces it
constexpr int kOften = 4;          // delayed passes, minus undelayed ones, that cause a trial
constexpr int kLongestAlarm = 64;  // most delayed passes between trials that change nothing

}  // namespace

void ThreadTuner::Choice::add(double cost) noexcept { last[next++ % kSamples] = cost; }
/// The second lowest cost of the samples, or the only one.
double ThreadTuner::Choice::cost() const noexcept {
  double least = kUnknown, second = kUnknown;
  for (const double cost : last) {
    second = std::min(second, std::max(cost, least));
    least = std::min(least, cost);
  }
  return next == 1 ? least : second;
}
void ThreadTuner::Choice::forget() noexcept {
  last.fill(kUnknown);
  next = 0;
}

ThreadTuner::ThreadTuner(std::size_t most, int first_trial, int trial_passes) noexcept
    : trial_passes_(trial_passes), until_trial_(first_trial), interval_(first_trial), alarm_interval_(kSoon) {
  for (const std::size_t threads : {most, most * 3 / 4, most / 2, most / 4, std::size_t{1}})
    if (threads > 0 && (count_ == 0 || threads < choices_[count_ - 1].threads)) choices_[count_++].threads = threads;
}

/// While all threads run, rare trials suffice; while fewer do, the other cores may become free at any time.
int ThreadTuner::longest_interval() const noexcept { return fastest_ == 0 ? 1024 : 64; }

std::size_t ThreadTuner::choose(bool cheap) noexcept {
  if (left_of_trial_ == 0 && until_trial_ <= (cheap ? 0 : -kPatience) && count_ > 1) {
    do trial_ = (trial_ + 1) % count_;
    while (trial_ == fastest_);
    choices_[trial_].forget();
    left_of_trial_ = trial_passes_;
  }
  return choices_[left_of_trial_ > 0 ? trial_ : fastest_].threads;
}

/// Whether passes are delayed so often that a trial should begin.
bool ThreadTuner::is_alarming(bool held_up) noexcept {
  held_up_ = std::clamp(held_up_ + (held_up ? 1 : -1), 0, 2 * kOften);
  return held_up_ >= kOften && ++since_trial_ >= alarm_interval_;
}

void ThreadTuner::record(double cost, bool held_up) noexcept {
  if (left_of_trial_ > 0) {
    choices_[trial_].add(cost);
    if (--left_of_trial_ == 0) end_trial();
    return;
  }
  Choice& ran = choices_[fastest_];
  ran.add(cost);
  --until_trial_;
  if (cost_at_trial_ == kUnknown && ran.next == kSamples) cost_at_trial_ = ran.cost();
  const bool is_slower = ran.cost() > kSlower * cost_at_trial_;
  if (is_slower) interval_ = kSoon;
  if (is_alarming(held_up) || is_slower) until_trial_ = std::min(until_trial_, 0);
}

void ThreadTuner::end_trial() noexcept {
  const bool better = choices_[trial_].cost() < kBetter * choices_[fastest_].cost();
  if (better) fastest_ = trial_;
  interval_ = better ? kSoon : std::min(2 * interval_, longest_interval());
  alarm_interval_ = better ? kSoon : std::min(2 * alarm_interval_, kLongestAlarm);
  since_trial_ = 0;
  until_trial_ = interval_;
  cost_at_trial_ = choices_[fastest_].cost();
}

}  // namespace heed::runtime

// Finds the fastest number of threads by timing passes. The machine may have fewer free cores than it reports, cores may differ in
// speed or run other programs, and all of this may change.
#pragma once

#include <array>
#include <cstddef>
#include <limits>

namespace heed::runtime {

/// Chooses among a few numbers of threads, beginning with the largest. A trial runs some passes with another number. Trials come at
/// growing intervals while they change nothing, and soon if passes with the current number become slower.
class ThreadTuner {
 public:
  /// The first trial comes after `first_trial` passes. A trial is `trial_passes` long, 1 to kSamples. A number of threads is judged
  /// by the second best time of its trial or, for the fastest number, of the last kSamples passes, because other programs slow down
  /// some passes.
  ThreadTuner(std::size_t most, int first_trial, int trial_passes) noexcept;

  /// The number of threads for the next pass. `cheap`: the pass would not take noticeably longer on too few threads; other passes
  /// join a trial only if it is long overdue.
  std::size_t choose(bool cheap = true) noexcept;
  /// cost: of the pass that choose() was called for, in any fixed unit. `held_up`: threads waited for one that had no core; if this
  /// happens often, a trial comes soon.
  void record(double cost, bool held_up = false) noexcept;

  std::size_t fastest() const noexcept { return choices_[fastest_].threads; }

  static constexpr std::size_t kSamples = 4;

 private:
  static constexpr double kUnknown = std::numeric_limits<double>::infinity();
  struct Choice {
    std::size_t threads = 0;
    std::array<double, kSamples> last = {kUnknown, kUnknown, kUnknown, kUnknown};
    std::size_t next = 0;

    void add(double cost) noexcept;
    double cost() const noexcept;
    void forget() noexcept;
  };
  bool is_alarming(bool held_up) noexcept;
  void end_trial() noexcept;
  int longest_interval() const noexcept;

  std::array<Choice, 5> choices_;
  std::size_t count_ = 0, fastest_ = 0, trial_ = 0;
  int trial_passes_, left_of_trial_ = 0;
  int until_trial_, interval_;
  double cost_at_trial_ = kUnknown;       // cost of the current number of threads after the last trial
  int held_up_ = 0;                       // recent delayed passes, minus undelayed ones
  int since_trial_ = 0, alarm_interval_;  // delayed passes since the last trial, and the number that causes the next one
};

}  // namespace heed::runtime

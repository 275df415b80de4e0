// How many threads are fastest, learned from the passes themselves: cores may be fewer than they look, differ in speed, or
// be busy with something else, and that changes.
#pragma once

#include <array>
#include <cstddef>
#include <limits>

namespace heed::runtime {

/// Chooses among a few numbers of threads. The most run at first; now and then another number than the fastest is tried: rarely while
/// that finds nothing new, soon after the fastest has become slower.
class ThreadTuner {
 public:
  /// The first trial comes after `first_trial` passes. Each is `trial_passes` long, 1 to kMemory: its second best pass counts, as does
  /// the second best of the last kMemory otherwise, because something else always makes some passes slow.
  ThreadTuner(std::size_t most, int first_trial, int trial_passes) noexcept;

  /// Threads for the next pass. One that is not `cheap` is made a trial only where none has been for long: on too few
  /// threads it would be felt.
  std::size_t choose(bool cheap = true) noexcept;
  /// What the pass that was chosen for took, in any unit that stays the same. `held_up`: threads waited for one that had no core;
  /// where passes often are, a trial comes soon.
  void record(double cost, bool held_up = false) noexcept;

  std::size_t fastest() const noexcept { return choices_[fastest_].threads; }

  static constexpr std::size_t kMemory = 4;

 private:
  static constexpr double kUnknown = std::numeric_limits<double>::infinity();
  struct Choice {
    std::size_t threads = 0;
    std::array<double, kMemory> last = {kUnknown, kUnknown, kUnknown, kUnknown};
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
  double cost_at_trial_ = kUnknown;       // of the fastest, after the last trial
  int held_up_ = 0;                       // passes of late: each that is counts, each that is not takes one off
  int since_trial_ = 0, alarm_interval_;  // held-up passes since the last trial, and how many bring another
};

}  // namespace heed::runtime

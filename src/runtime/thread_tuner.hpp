// How many threads are fastest, learned from the passes themselves: cores may be fewer than they look, differ in speed, or
// be busy with something else, and that changes.
#pragma once

#include <array>
#include <cstddef>
#include <span>

namespace heed::runtime {

/// Chooses among a few numbers of threads. Each is tried at first; then the fastest runs, and now and then another one is
/// tried again: rarely while that finds nothing new, soon after the fastest has become slower.
class ThreadTuner {
 public:
  explicit ThreadTuner(std::size_t most) noexcept;

  /// Threads for the next pass.
  std::size_t choose() noexcept;
  /// What the pass that was chosen for took, in any unit that stays the same.
  void record(double cost) noexcept;

  std::size_t fastest() const noexcept { return choices_[fastest_].threads; }

 private:
  struct Choice {
    std::size_t threads = 0;
    double cost = 0;  // a running mean
    int tries = 0;
  };
  static constexpr int kFirstTries = 2;
  static constexpr int kSoon = 8, kRarely = 1024;  // passes between trials

  std::span<Choice> choices() noexcept { return {choices_.data(), count_}; }
  std::size_t untried() noexcept;

  std::array<Choice, 4> choices_;
  std::size_t count_ = 0, fastest_ = 0, running_ = 0, next_trial_ = 0;
  double cost_at_trial_ = 0;  // of the fastest, when another was last tried
  int until_trial_ = kSoon, interval_ = kSoon;
};

}  // namespace heed::runtime

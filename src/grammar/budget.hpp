// How much work a hostile schema, expression or grammar can cause: it is counted in steps, so that the same input is always refused or
// never, and now and then somebody looks at the clock.
#pragma once

#include <algorithm>
#include <cstdint>

namespace heed::grammar {

/// Steps that are left. What makes or explores a language charges here before it works or allocates: a step is at most a tenth of a
/// microsecond and a few hundred bytes.
///
///     Budget budget;
///     for (...) { budget.spend(); ... }
class Budget {
 public:
  static constexpr std::uint64_t kSteps = 20'000'000;

  /// Called every few thousand steps of all budgets; may throw, to end the work for now or for good. What is being made is lost then, what
  /// was found out is not: the same call goes on from there, and the budget with what it has left.
  static inline void (*at_work)() = nullptr;

  explicit Budget(std::uint64_t steps = kSteps) noexcept : steps_(steps) { refill(); }

  /// Throws Refusal (too-large) where fewer are left; then none are taken.
  void spend(std::uint64_t steps = 1) {
    if (steps > near_) return spend_of_all(steps);
    near_ -= steps;
  }
  /// All of them again, for the next call.
  void refill() noexcept { refill(steps_); }
  /// What was left of a call that goes on, or more for one that has more to read.
  void refill(std::uint64_t left) noexcept { split(left); }
  std::uint64_t left() const noexcept { return near_ + beyond_; }

 private:
  static constexpr std::uint64_t kBetween = 4096;

  void split(std::uint64_t steps) noexcept {
    near_ = std::min(steps, kBetween);
    beyond_ = steps - near_;
  }
  void spend_of_all(std::uint64_t steps);

  std::uint64_t steps_;
  std::uint64_t near_;    // up to the next look at the clock
  std::uint64_t beyond_;  // behind it
};

}  // namespace heed::grammar

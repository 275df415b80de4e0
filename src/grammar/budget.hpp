// Limits the work that a hostile schema, expression or grammar can cause. Work is counted in steps, so that refusals do not depend
// on the machine; a callback can watch the clock.
#pragma once

#include <algorithm>
#include <cstdint>

namespace heed::grammar {

/// The remaining steps. Code that makes or explores a language charges here before it works or allocates: a step is at most a tenth
/// of a microsecond and a few hundred bytes.
///
///     Budget budget;
///     for (...) { budget.spend(); ... }
class Budget {
 public:
  static constexpr std::uint64_t kSteps = 20'000'000;

  /// Called every few thousand steps, for all budgets. May throw to pause or cancel the work: the object being made is lost, cached
  /// results and the remaining steps are kept, so that repeating the call continues.
  static inline void (*on_progress)() = nullptr;

  explicit Budget(std::uint64_t steps = kSteps) noexcept : steps_(steps) { refill(); }

  /// Throws Refusal (too-large), and spends nothing, if fewer than `steps` are left.
  void spend(std::uint64_t steps = 1) {
    if (steps > before_callback_) return spend_slowly(steps);
    before_callback_ -= steps;
  }
  /// Restores all steps, for the next call.
  void refill() noexcept { refill(steps_); }
  /// Sets the remaining steps to `left`: to continue an interrupted call, or to allow more for a long input.
  void refill(std::uint64_t left) noexcept { split(left); }
  std::uint64_t left() const noexcept { return before_callback_ + after_callback_; }

 private:
  static constexpr std::uint64_t kCallbackInterval = 4096;

  void split(std::uint64_t steps) noexcept {
    before_callback_ = std::min(steps, kCallbackInterval);
    after_callback_ = steps - before_callback_;
  }
  void spend_slowly(std::uint64_t steps);

  std::uint64_t steps_;
  std::uint64_t before_callback_;  // steps until on_progress is called
  std::uint64_t after_callback_;   // steps left after that call
};

}  // namespace heed::grammar

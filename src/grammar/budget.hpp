// How much work a hostile schema, expression or grammar can cause: it is counted in steps, not in time, so that the same input is
// always refused or never.
#pragma once

#include <cstdint>

namespace heed::grammar {

/// Steps that are left. What makes or explores a language charges here before it works or allocates: a step is a few dozen
/// nanoseconds and at most a few hundred bytes.
///
///     Budget budget;
///     for (...) { budget.spend(); ... }
class Budget {
 public:
  static constexpr std::uint64_t kSteps = 20'000'000;

  explicit Budget(std::uint64_t steps = kSteps) noexcept : steps_(steps), left_(steps) {}

  /// Throws Refusal (too-large) where fewer are left; then none are taken.
  void spend(std::uint64_t steps = 1) {
    if (steps > left_) refuse();
    left_ -= steps;
  }
  /// All of them again, for the next call.
  void refill() noexcept { left_ = steps_; }
  std::uint64_t left() const noexcept { return left_; }

 private:
  [[noreturn]] void refuse() const;

  std::uint64_t steps_;
  std::uint64_t left_;
};

}  // namespace heed::grammar

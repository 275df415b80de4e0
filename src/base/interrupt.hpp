// A request that the work in progress ends soon.
#pragma once

#include <atomic>

namespace heed {

/// A flag that another thread may set at any time. A requester that cannot reach this memory, or must not keep a reference to it,
/// sets a flag of its own, which take_from() makes this one read, too.
class Interrupt {
 public:
  /// Returns whether an interruption has been requested elsewhere, and resets that request.
  using Elsewhere = bool (*)() noexcept;

  void take_from(Elsewhere elsewhere) noexcept { elsewhere_ = elsewhere; }
  Interrupt& operator=(bool requested) noexcept {
    if (!requested && elsewhere_) elsewhere_();
    requested_.store(requested, std::memory_order_relaxed);
    return *this;
  }
  explicit operator bool() const noexcept {
    if (elsewhere_ && elsewhere_()) requested_.store(true, std::memory_order_relaxed);
    return requested_.load(std::memory_order_relaxed);
  }

 private:
  mutable std::atomic<bool> requested_{false};
  Elsewhere elsewhere_ = nullptr;
};

}  // namespace heed

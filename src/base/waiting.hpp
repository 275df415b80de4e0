// Waiting until a word of memory changes: spin for a limited time, then sleep. A spinning thread sees the change after about 0.2
// us; a sleeping one wakes up after 5 to 40 us.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

namespace heed {

using Word = std::atomic<std::uint32_t>;

/// The time to spin before sleeping: longer than the gaps between the parallel loops of a forward pass.
inline constexpr auto kSpinTime = std::chrono::microseconds(50);

/// A hint to the core that this is a spin loop; WebAssembly has no such instruction.
inline void spin_pause() noexcept {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

/// Spins until done() or until kSpinTime is over; returns whether it is done.
template <class Done>
bool spin_until(Done done) noexcept {
  using Clock = std::chrono::steady_clock;
  constexpr int kChecksPerClock = 128;  // reading the clock costs more than a check
  Clock::time_point end{};
  for (;;) {
    for (int check = 0; check < kChecksPerClock; ++check) {
      if (done()) return true;
      spin_pause();
    }
    const auto now = Clock::now();
    if (end == Clock::time_point{}) end = now + kSpinTime;
    if (now >= end) return false;
  }
}

// libc++ has no futex for WebAssembly and would poll every few milliseconds, so the wait instructions are used directly.
#if defined(__wasm_atomics__)

/// If the word is `value`, sleeps until woken; may return spuriously.
inline void sleep_while(Word& word, std::uint32_t value) noexcept {
  __builtin_wasm_memory_atomic_wait32(reinterpret_cast<int*>(&word), static_cast<int>(value), -1);
}

/// Wakes all threads that sleep on the word.
inline void wake_all(Word& word) noexcept { __builtin_wasm_memory_atomic_notify(reinterpret_cast<int*>(&word), ~0u); }

#else

inline void sleep_while(Word& word, std::uint32_t value) noexcept { word.wait(value, std::memory_order_acquire); }
inline void wake_all(Word& word) noexcept { word.notify_all(); }

#endif

}  // namespace heed

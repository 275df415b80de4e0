// Waiting for a word of memory to change: watch it for a bounded time, then sleep. A watched change is seen in about
// 0.2 us, a sleeper wakes in 5 to 40 us.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

namespace heed {

using Word = std::atomic<std::uint32_t>;

/// Longest time to watch before sleeping: it covers the gaps between the parallel loops of one forward pass.
inline constexpr auto kSpinTime = std::chrono::microseconds(50);

/// Tells the core that this is a spin loop; WebAssembly has no such instruction.
inline void spin_pause() noexcept {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

/// Watches until done() or until kSpinTime is over; returns whether it was done.
template <class Done>
bool spin_until(Done done) noexcept {
  using Clock = std::chrono::steady_clock;
  constexpr int kLooksPerClock = 128;  // reading the clock costs more than a look
  Clock::time_point end{};
  for (;;) {
    for (int look = 0; look < kLooksPerClock; ++look) {
      if (done()) return true;
      spin_pause();
    }
    const auto now = Clock::now();
    if (end == Clock::time_point{}) end = now + kSpinTime;
    if (now >= end) return false;
  }
}

// libc++ has no futex for WebAssembly and would poll with naps of milliseconds, so there it is the instructions.
#if defined(__wasm_atomics__)

/// Sleeps while the word is `value`, until woken; may also return for no reason.
inline void sleep_while(Word& word, std::uint32_t value) noexcept {
  __builtin_wasm_memory_atomic_wait32(reinterpret_cast<int*>(&word), static_cast<int>(value), -1);
}

/// Wakes all that sleep on the word.
inline void wake_all(Word& word) noexcept { __builtin_wasm_memory_atomic_notify(reinterpret_cast<int*>(&word), ~0u); }

#else

inline void sleep_while(Word& word, std::uint32_t value) noexcept { word.wait(value, std::memory_order_acquire); }
inline void wake_all(Word& word) noexcept { word.notify_all(); }

#endif

}  // namespace heed

// A fixed set of threads that run one parallel loop at a time. Native threads and Emscripten pthreads: one code.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>

namespace heed {

class ThreadPool {
 public:
  static constexpr std::size_t kMaxThreads = 256;

  /// `threads` counts the calling thread: 1 starts none (and needs no shared memory). Throws invalid_argument outside
  /// [1, kMaxThreads], and out_of_memory where the system refuses a thread; those already started are joined.
  explicit ThreadPool(std::size_t threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  std::size_t threads() const noexcept;

  /// How many threads the next loops run on, at most: 1 to threads(), which it is at first. The others sleep.
  void use(std::size_t threads) noexcept;
  std::size_t used() const noexcept;

  /// Of all loops so far, those at whose end the caller slept because a worker kept it waiting: next to none where each thread has a
  /// core, several in each pass where another program takes one.
  std::uint64_t long_waits() const noexcept;

  /// Calls body(begin, end, thread) for ranges of whole chunks of `chunk` items (the last may be shorter; chunk >= 1)
  /// that cover [0, count) exactly once. Each thread takes the chunks of its own share in order, so that what it
  /// reads is a stream, and then those of others, because cores differ in speed. Returns when all are done; what the
  /// body wrote is then visible. thread < threads() is the slot of the running thread, for scratch: no two threads
  /// share one. A single chunk runs on the calling thread. Allocates nothing. The body must not throw and must not
  /// call parallel_for. Only one thread at a time may call it.
  template <class Body>
  void parallel_for(std::size_t count, std::size_t chunk, Body&& body) noexcept {
    using Callable = std::remove_reference_t<Body>;
    const Task task = [](const void* context, std::size_t begin, std::size_t end, std::size_t thread) noexcept {
      (*static_cast<Callable*>(const_cast<void*>(context)))(begin, end, thread);
    };
    run(count, chunk, task, &body);
  }

 private:
  using Task = void (*)(const void* context, std::size_t begin, std::size_t end, std::size_t thread) noexcept;
  void run(std::size_t count, std::size_t chunk, Task task, const void* context) noexcept;

  struct Shared;
  std::unique_ptr<Shared> shared_;
};

}  // namespace heed

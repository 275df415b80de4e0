// A fixed set of threads that run one parallel loop at a time. Native threads and Emscripten pthreads: one code.
#pragma once

#include <cstddef>
#include <memory>

namespace heed::runtime {

class ThreadPool {
 public:
  /// `threads` counts the calling thread: 1 starts none (and needs no shared memory). Throws out_of_memory where the
  /// system refuses a thread; those already started are joined.
  explicit ThreadPool(std::size_t threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  std::size_t threads() const noexcept;

  /// Calls body(begin, end, thread) for chunks that cover [0, count) exactly once, chunk items at a time from a shared
  /// counter (fast and slow cores differ), and returns when all are done. thread < threads() is the caller's slot for
  /// scratch. The body must not throw and must not call parallel_for. Only one thread may call it at a time.
  template <class Body>
  void parallel_for(std::size_t count, std::size_t chunk, Body&& body) noexcept {
    run(count, chunk, [](void* context, std::size_t begin, std::size_t end, std::size_t thread) noexcept {
      (*static_cast<std::remove_reference_t<Body>*>(context))(begin, end, thread);
    }, const_cast<void*>(static_cast<const void*>(&body)));
  }

 private:
  using Task = void (*)(void* context, std::size_t begin, std::size_t end, std::size_t thread) noexcept;
  void run(std::size_t count, std::size_t chunk, Task task, void* context) noexcept;

  struct Shared;
  std::unique_ptr<Shared> shared_;
};

}  // namespace heed::runtime

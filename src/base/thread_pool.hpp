// A fixed set of threads that run one parallel loop at a time: native threads, or pthreads of Emscripten.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>

namespace heed {

class ThreadPool {
 public:
  static constexpr std::size_t kMaxThreads = 256;

  /// `threads` includes the calling thread: 1 starts none (and needs no shared memory). Throws invalid_argument outside [1,
  /// kMaxThreads], and out_of_memory if the system refuses a thread.
  explicit ThreadPool(std::size_t threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  std::size_t threads() const noexcept;

  /// Ends the workers' threads, and starts as many new ones, while no loop runs; throws as the constructor does. WebAssembly needs
  /// this, because the JavaScript of a worker receives messages only after one thread has ended and before the next begins.
  void restart();
  /// Makes the running loop fail, because a worker will never leave it.
  void worker_died() noexcept;

  /// The maximum number of threads for the next loops, 1 to threads(); initially threads(). The others sleep.
  void use(std::size_t threads) noexcept;
  std::size_t used() const noexcept;

  /// The number of loops so far at whose end the caller had to sleep until a worker finished: almost none if each thread has a
  /// core, several per pass if another program uses one.
  std::uint64_t long_waits() const noexcept;

  /// Calls body(begin, end, thread) for ranges of whole chunks (of `chunk` items, at least 1; the last may be shorter) that cover
  /// [0, count) exactly once. Each thread runs the chunks of its own share in order, so that it reads contiguous memory, and then
  /// those of other shares, because cores differ in speed. Returns when all are finished; what the body wrote is then visible.
  /// thread: an index below threads() that no two running threads share, for scratch memory. A single chunk runs on the calling
  /// thread. Does not allocate. The body must not throw or call parallel_for. Only one thread at a time may call it.
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

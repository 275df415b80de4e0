// The caller writes the description of a loop, opens the loop, runs chunks itself, closes the loop, and waits until no worker is in
// it. Workers that arrive after that find it closed: nobody waits for them. Since the description changes only while the loop is
// closed and without workers, no worker can read parts of two loops.
#include "base/thread_pool.hpp"

#include <algorithm>
#include <new>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "base/error.hpp"
#include "base/waiting.hpp"

namespace heed {
namespace {

constexpr std::uint32_t kOpen = 1u << 31;      // workers may enter the loop
constexpr std::uint32_t kAwaited = 1u << 30;   // the caller sleeps until the last worker has left
constexpr std::uint32_t kDied = 1u << 29;      // a worker will never leave
constexpr std::uint32_t kWorkers = kDied - 1;  // the number of workers in the loop
constexpr std::size_t kCacheLine = 64;

#if defined(__EMSCRIPTEN__)
std::atomic<ThreadPool*> latest = nullptr;
#endif

}  // namespace

struct ThreadPool::Shared {
  // The description of the loop.
  Task task = nullptr;
  const void* context = nullptr;
  std::size_t count = 0;
  std::size_t chunk = 1;
  std::size_t chunks = 0;
  std::size_t shares = 1;

  /// The next unclaimed chunk of a share.
  struct alignas(kCacheLine) Next {
    std::atomic<std::size_t> chunk = 0;
  };
  std::vector<Next> next;

  alignas(kCacheLine) Word state = 0;  // the loop's flags (above) and the number of workers in it
  alignas(kCacheLine) Word loops = 0;  // number of loops so far; idle workers watch it, then sleep on it
  std::atomic<std::uint32_t> sleepers = 0;
  std::atomic<bool> stopping = false;

  alignas(kCacheLine) Word used = 0;  // number of threads that run loops; the other workers sleep on it

  std::uint64_t long_waits = 0;  // written by the caller only

  std::vector<std::thread> workers;

  std::size_t share_begin(std::size_t share) const noexcept { return chunks / shares * share + std::min(share, chunks % shares); }

  /// Runs chunks of the thread's own share, whose memory is contiguous, then of the other shares. Claims a fraction of what remains
  /// in a share at a time: many chunks at first, because each claim costs time, and single ones at the end, so that all threads
  /// finish at about the same time.
  void work(std::size_t thread) noexcept {
    constexpr std::size_t kParts = 4;
    for (std::size_t i = 0; i < shares; ++i) {
      const std::size_t share = (thread + i) % shares, end = share_begin(share + 1);
      std::atomic<std::size_t>& unclaimed = next[share].chunk;
      for (std::size_t first = unclaimed.load(std::memory_order_relaxed); first < end;) {
        const std::size_t last = first + std::max<std::size_t>(1, (end - first) / kParts);
        if (!unclaimed.compare_exchange_weak(first, last, std::memory_order_relaxed)) continue;
        task(context, first * chunk, std::min(last * chunk, count), thread);
        first = unclaimed.load(std::memory_order_relaxed);
      }
    }
  }

  bool enter() noexcept {
    std::uint32_t seen = state.load(std::memory_order_relaxed);
    while (seen & kOpen)
      if (state.compare_exchange_weak(seen, seen + 1, std::memory_order_acquire, std::memory_order_relaxed)) return true;
    return false;
  }

  void leave() noexcept {
    if (state.fetch_sub(1, std::memory_order_release) == (kAwaited | 1)) wake_all(state);
  }

  void close_and_wait_for_workers() noexcept {
    state.fetch_and(~kOpen, std::memory_order_relaxed);
    if (spin_until([this] { return state.load(std::memory_order_acquire) == 0; })) return;
    ++long_waits;
    state.fetch_or(kAwaited, std::memory_order_relaxed);
    for (;;) {
      const std::uint32_t seen = state.load(std::memory_order_acquire);
      if (seen & kDied) __builtin_trap();
      if ((seen & kWorkers) == 0) break;
      sleep_while(state, seen);
    }
    state.store(0, std::memory_order_relaxed);
  }

  void use(std::size_t threads) noexcept {
    const auto now = static_cast<std::uint32_t>(threads);
    if (used.exchange(now) < now) wake_all(used);
  }

  void call_workers() noexcept {
    // Sequentially consistent, as in wait_for_call(): either the worker sees the new number, or this thread sees that the worker
    // sleeps.
    loops.fetch_add(1);
    if (sleepers.load() > 0) wake_all(loops);
  }

  void wait_for_call(std::uint32_t last) noexcept {
    if (spin_until([&] { return loops.load(std::memory_order_acquire) != last; })) return;
    sleepers.fetch_add(1);
    while (loops.load() == last) sleep_while(loops, last);
    sleepers.fetch_sub(1, std::memory_order_relaxed);
  }

  void wait_until_used(std::size_t thread) noexcept {
    for (std::uint32_t seen = used.load(); seen <= thread; seen = used.load()) sleep_while(used, seen);
  }

  void worker(std::size_t thread) noexcept {
    for (std::uint32_t last = 0;;) {
      wait_until_used(thread);
      wait_for_call(last);
      last = loops.load(std::memory_order_acquire);
      if (stopping.load(std::memory_order_relaxed)) return;
      if (thread >= used.load(std::memory_order_relaxed) || !enter()) continue;
      work(thread);
      leave();
    }
  }

  void start(std::size_t threads) {
    stopping.store(false, std::memory_order_relaxed);
    try {
      for (std::size_t thread = 1; thread < threads; ++thread) workers.emplace_back([this, thread] { worker(thread); });
    } catch (const std::bad_alloc&) {
      stop();
      throw;
    } catch (const std::system_error&) {
      const std::size_t started = workers.size() + 1;
      stop();
      throw Error(ErrorCode::out_of_memory,
                  "the system allows only " + std::to_string(started) + " threads, not " + std::to_string(threads));
    }
  }

  void stop() noexcept {
    stopping.store(true, std::memory_order_relaxed);
    use(kMaxThreads);
    call_workers();
    for (auto& worker : workers) worker.join();
    workers.clear();
  }
};

ThreadPool::ThreadPool(std::size_t threads) : shared_(std::make_unique<Shared>()) {
  if (threads < 1 || threads > kMaxThreads)
    throw Error(ErrorCode::invalid_argument, "must be 1 to " + std::to_string(kMaxThreads), "threads");
  shared_->next = std::vector<Shared::Next>(threads);
  shared_->workers.reserve(threads - 1);
  shared_->use(threads);
#if defined(__EMSCRIPTEN__)
  latest = this;
#endif
  shared_->start(threads);
}

ThreadPool::~ThreadPool() {
  shared_->stop();
#if defined(__EMSCRIPTEN__)
  ThreadPool* expected = this;
  latest.compare_exchange_strong(expected, nullptr);
#endif
}

void ThreadPool::restart() {
  const std::size_t all = threads(), before = used();
  shared_->stop();
  shared_->start(all);
  shared_->use(before);
}

void ThreadPool::worker_died() noexcept {
  shared_->state.fetch_or(kDied);
  wake_all(shared_->state);
}

std::size_t ThreadPool::threads() const noexcept { return shared_->workers.size() + 1; }

void ThreadPool::use(std::size_t threads) noexcept { shared_->use(std::clamp<std::size_t>(threads, 1, this->threads())); }
std::uint64_t ThreadPool::long_waits() const noexcept { return shared_->long_waits; }
std::size_t ThreadPool::used() const noexcept { return shared_->used.load(std::memory_order_relaxed); }

void ThreadPool::run(std::size_t count, std::size_t chunk, Task task, const void* context) noexcept {
  if (count == 0) return;
  if (count <= chunk) return task(context, 0, count, 0);

  Shared& shared = *shared_;
  shared.task = task;
  shared.context = context;
  shared.count = count;
  shared.chunk = chunk;
  shared.chunks = (count - 1) / chunk + 1;
  shared.shares = used();
  for (std::size_t share = 0; share < shared.shares; ++share)
    shared.next[share].chunk.store(shared.share_begin(share), std::memory_order_relaxed);
  if (used() == 1) return shared.work(0);

  shared.state.store(kOpen, std::memory_order_release);
  shared.call_workers();
  shared.work(0);
  shared.close_and_wait_for_workers();
}

}  // namespace heed

#if defined(__EMSCRIPTEN__)
/// Called by the JavaScript of a worker that trapped (bindings/embind/threads.pre.js). A trap ends a native program; here, the
/// caller would wait forever for the worker to leave, so it must trap, too.
extern "C" void heed_worker_died() noexcept {
  if (heed::ThreadPool* const pool = heed::latest.load()) pool->worker_died();
}

/// Called by the engine's JavaScript (bindings/embind/extra.pre.js).
extern "C" void heed_restart_threads() noexcept {
  if (heed::ThreadPool* const pool = heed::latest.load()) pool->restart();
}
#endif

// Each loop is a room with a gate. The caller describes the loop, opens the gate, works along, shuts the gate, and waits
// until the room is empty. Workers that come late find the gate shut: nobody waits for them, and as the description
// changes only while the room is shut and empty, they can never see half of one loop and half of the next.
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

constexpr std::uint32_t kOpen = 1u << 31;     // workers may enter
constexpr std::uint32_t kAwaited = 1u << 30;  // the caller sleeps until the room is empty
constexpr std::uint32_t kDied = 1u << 29;     // a worker will never leave
constexpr std::uint32_t kInside = kDied - 1;
constexpr std::size_t kCacheLine = 64;

#if defined(__EMSCRIPTEN__)
std::atomic<Word*> latest_gate = nullptr;
#endif

}  // namespace

struct ThreadPool::Shared {
  // The loop.
  Task task = nullptr;
  const void* context = nullptr;
  std::size_t count = 0;
  std::size_t chunk = 1;
  std::size_t chunks = 0;
  std::size_t shares = 1;

  /// Of each thread's share of the chunks, the next one.
  struct alignas(kCacheLine) Next {
    std::atomic<std::size_t> chunk = 0;
  };
  std::vector<Next> next;

  alignas(kCacheLine) Word gate = 0;   // flags, and how many workers are inside
  alignas(kCacheLine) Word loops = 0;  // loops so far; idle workers watch it, then sleep on it
  std::atomic<std::uint32_t> sleepers = 0;
  std::atomic<bool> stopping = false;

  alignas(kCacheLine) Word used = 0;  // threads that loops run on; workers from that number on sleep on it

  std::uint64_t long_waits = 0;  // the caller's

  std::vector<std::thread> workers;

  std::size_t share_begin(std::size_t share) const noexcept { return chunks / shares * share + std::min(share, chunks % shares); }

  /// First the thread's own share, which lies together in memory, then what others have not begun of theirs. Each time
  /// a part of what is left there: much at first, because each beginning costs a little, and one chunk in the end, so
  /// that all are done at about the same time.
  void work(std::size_t thread) noexcept {
    constexpr std::size_t kParts = 4;
    for (std::size_t i = 0; i < shares; ++i) {
      const std::size_t share = (thread + i) % shares, end = share_begin(share + 1);
      std::atomic<std::size_t>& begun = next[share].chunk;
      for (std::size_t first = begun.load(std::memory_order_relaxed); first < end;) {
        const std::size_t last = first + std::max<std::size_t>(1, (end - first) / kParts);
        if (!begun.compare_exchange_weak(first, last, std::memory_order_relaxed)) continue;
        task(context, first * chunk, std::min(last * chunk, count), thread);
        first = begun.load(std::memory_order_relaxed);
      }
    }
  }

  bool enter() noexcept {
    std::uint32_t seen = gate.load(std::memory_order_relaxed);
    while (seen & kOpen)
      if (gate.compare_exchange_weak(seen, seen + 1, std::memory_order_acquire, std::memory_order_relaxed)) return true;
    return false;
  }

  void leave() noexcept {
    if (gate.fetch_sub(1, std::memory_order_release) == (kAwaited | 1)) wake_all(gate);
  }

  void shut_and_wait_until_empty() noexcept {
    gate.fetch_and(~kOpen, std::memory_order_relaxed);
    if (spin_until([this] { return gate.load(std::memory_order_acquire) == 0; })) return;
    ++long_waits;
    gate.fetch_or(kAwaited, std::memory_order_relaxed);
    for (;;) {
      const std::uint32_t seen = gate.load(std::memory_order_acquire);
      if (seen & kDied) __builtin_trap();
      if ((seen & kInside) == 0) break;
      sleep_while(gate, seen);
    }
    gate.store(0, std::memory_order_relaxed);
  }

  void use(std::size_t threads) noexcept {
    const auto now = static_cast<std::uint32_t>(threads);
    if (used.exchange(now) < now) wake_all(used);
  }

  void call_workers() noexcept {
    // Sequentially consistent, as is the sleeper's side: either it sees the new number, or we see that it sleeps.
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
  latest_gate = &shared_->gate;
#endif
  try {
    for (std::size_t thread = 1; thread < threads; ++thread)
      shared_->workers.emplace_back([shared = shared_.get(), thread] { shared->worker(thread); });
  } catch (const std::bad_alloc&) {
    shared_->stop();
    throw;
  } catch (const std::system_error&) {
    const std::size_t started = shared_->workers.size() + 1;
    shared_->stop();
    throw Error(ErrorCode::out_of_memory,
                "the system allows only " + std::to_string(started) + " threads, not " + std::to_string(threads));
  }
}

ThreadPool::~ThreadPool() { shared_->stop(); }

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

  shared.gate.store(kOpen, std::memory_order_release);
  shared.call_workers();
  shared.work(0);
  shared.shut_and_wait_until_empty();
}

}  // namespace heed

#if defined(__EMSCRIPTEN__)
/// For the JavaScript glue of a worker that ran into a trap (bindings/embind/pthread.js). A native program is ended by
/// that; here the caller would wait for ever for the worker to leave, so it has to trap as well.
extern "C" void heed_worker_died() noexcept {
  if (heed::Word* gate = heed::latest_gate.load()) {
    gate->fetch_or(heed::kDied);
    heed::wake_all(*gate);
  }
}
#endif

// Measures the thread pool: an empty loop, and passes of many short loops like a model's, for each number of threads. One line of
// JSON per number of threads. Arguments: the maximum number of threads; the number of busy loops beside them, which stand for other
// programs.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <nlohmann/json.hpp>
#include <thread>
#include <vector>

#include "base/thread_pool.hpp"

namespace heed::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kRounds = 2000;           // empty loops
constexpr int kPasses = 30;             // passes
constexpr int kLoops = 100;             // per pass, as in a model of some 25 layers
constexpr std::size_t kChunks = 64;     // per loop
constexpr double kChunkSeconds = 3e-6;  // per chunk
constexpr double kGapSeconds = 3e-6;    // work of the caller alone between two loops

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

double median(std::vector<double>& values) {
  std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2));
  return values[values.size() / 2];
}

/// Arithmetic whose steps depend on each other.
void compute(std::uint64_t steps) {
  std::uint64_t x = steps;
  for (std::uint64_t i = 0; i < steps; ++i) x = x * 6364136223846793005u + 1442695040888963407u;
  static std::atomic<std::uint64_t> seen;
  if (x == 0) seen = x;  // keeps the compiler from leaving it out
}

/// The number of steps that takes `seconds` on an undisturbed core: the fastest of several tries.
std::uint64_t steps_of(double seconds) {
  constexpr std::uint64_t kTried = 1'000'000;
  double best = 1e9;
  for (int i = 0; i < 20; ++i) {
    const auto start = Clock::now();
    compute(kTried);
    best = std::min(best, seconds_since(start));
  }
  return static_cast<std::uint64_t>(static_cast<double>(kTried) * seconds / best);
}

/// Programs beside this one.
class BusyLoops {
 public:
  explicit BusyLoops(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i)
      threads_.emplace_back([this] {
        while (!done_.load(std::memory_order_relaxed)) compute(10'000);
      });
  }
  ~BusyLoops() {
    done_ = true;
    for (auto& thread : threads_) thread.join();
  }

 private:
  std::atomic<bool> done_ = false;
  std::vector<std::thread> threads_;
};

/// Nanoseconds of an empty loop: calling the other threads, and waiting for the ones that came.
double empty_loop(ThreadPool& pool) {
  std::vector<double> times;
  for (int round = 0; round < kRounds; ++round) {
    const auto start = Clock::now();
    pool.parallel_for(pool.threads(), 1, [](std::size_t, std::size_t, std::size_t) noexcept {});
    times.push_back(seconds_since(start) * 1e9);
  }
  return median(times);
}

struct Pass {
  double milliseconds = 0;
  double waiting = 0;  // share of the threads' time after their last chunk of a loop
};

Pass pass(ThreadPool& pool, std::uint64_t chunk_steps, std::uint64_t gap_steps) {
  std::vector<double> times, waits;
  std::vector<double> ends(pool.threads());
  for (int round = 0; round < kPasses; ++round) {
    double waited = 0;
    const auto start = Clock::now();
    for (int loop = 0; loop < kLoops; ++loop) {
      compute(gap_steps);
      const auto begun = Clock::now();
      std::ranges::fill(ends, 0.0);
      pool.parallel_for(kChunks, 1, [&](std::size_t begin, std::size_t end, std::size_t thread) noexcept {
        compute(chunk_steps * (end - begin));
        ends[thread] = seconds_since(begun);
      });
      const double whole = seconds_since(begun);
      for (const double end : ends) waited += (whole - end) / static_cast<double>(ends.size());
    }
    const double whole = seconds_since(start);
    times.push_back(whole * 1e3);
    waits.push_back(waited / whole);
  }
  return {median(times), median(waits)};
}

void run(std::size_t most, std::size_t busy) {
  const std::uint64_t chunk = steps_of(kChunkSeconds), gap = steps_of(kGapSeconds);
  const BusyLoops others(busy);
  double one = 0;
  for (std::size_t threads = 1; threads <= most; ++threads) {
    ThreadPool pool(threads);
    const double loop = empty_loop(pool);
    const Pass measured = pass(pool, chunk, gap);
    if (threads == 1) one = measured.milliseconds;
    const nlohmann::ordered_json row{{"threads", threads},
                                     {"busy", busy},
                                     {"emptyLoopNs", loop},
                                     {"passMs", measured.milliseconds},
                                     {"speedup", one / measured.milliseconds},
                                     {"waiting", measured.waiting}};
    std::puts(row.dump().c_str());
    std::fflush(stdout);
  }
}

}  // namespace
}  // namespace heed::bench

int main(int count, char** arguments) {
  try {
    heed::bench::run(count > 1 ? std::strtoul(arguments[1], nullptr, 10) : 1,
                     count > 2 ? std::strtoul(arguments[2], nullptr, 10) : 0);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}

// The tuner against machines whose speed for each number of threads is known.
#include "runtime/thread_tuner.hpp"

#include <catch2/catch_test_macros.hpp>
#include <functional>
#include <map>

using heed::runtime::ThreadTuner;

namespace {

using Cost = std::function<double(std::size_t threads)>;

/// Runs passes; returns how many ran on each number of threads.
std::map<std::size_t, int> run(ThreadTuner& tuner, int passes, const Cost& cost) {
  std::map<std::size_t, int> runs;
  for (int i = 0; i < passes; ++i) {
    const std::size_t threads = tuner.choose();
    ++runs[threads];
    tuner.record(cost(threads));
  }
  return runs;
}

double shared_out(std::size_t threads) { return 1.0 / static_cast<double>(threads); }

}  // namespace

TEST_CASE("a tuner of one thread has nothing to choose", "[runtime][threads]") {
  ThreadTuner tuner(1, 8, 3);
  CHECK(run(tuner, 100, shared_out) == std::map<std::size_t, int>{{1, 100}});
}

TEST_CASE("a tuner begins with all threads and finds the fastest number", "[runtime][threads]") {
  ThreadTuner all(8, 8, 1), memory_bound(8, 8, 1), alone(8, 8, 1);
  CHECK(run(all, 8, shared_out) == std::map<std::size_t, int>{{8, 8}});
  run(all, 60, shared_out);
  CHECK(all.fastest() == 8);
  run(memory_bound, 60, [](std::size_t threads) { return threads == 4 ? 1.0 : 1.5; });
  CHECK(memory_bound.fastest() == 4);
  run(alone, 60, [](std::size_t threads) { return static_cast<double>(threads); });
  CHECK(alone.fastest() == 1);
}

TEST_CASE("a tuner finds the cores of a machine that has fewer than threads", "[runtime][threads]") {
  ThreadTuner tuner(8, 8, 1);
  run(tuner, 100, [](std::size_t threads) { return threads <= 2 ? shared_out(threads) : 0.7; });
  CHECK(tuner.fastest() == 2);
}

TEST_CASE("on a machine that does not change, trials are rare", "[runtime][threads]") {
  ThreadTuner tuner(2, 8, 3);
  CHECK(run(tuner, 100, shared_out).at(2) >= 88);
  const auto runs = run(tuner, 10000, shared_out);
  CHECK(runs.at(2) >= 9950);
  CHECK(runs.at(1) >= 1);
}

TEST_CASE("a trial waits for a cheap pass, but not for ever", "[runtime][threads]") {
  ThreadTuner tuner(2, 8, 1);
  for (int pass = 0; pass < 20; ++pass) {
    CHECK(tuner.choose(false) == 2);
    tuner.record(1);
  }
  CHECK(tuner.choose(true) == 1);
  tuner.record(2);

  int passes = 0;
  while (tuner.choose(false) == 2 && passes < 100) {
    tuner.record(1);
    ++passes;
  }
  CHECK(passes == 16 + 32);
  tuner.record(2);

  for (passes = 0; tuner.choose(false) == 2 && passes < 100; ++passes) tuner.record(3);  // something has changed
  CHECK(passes <= 4 + 32);
}

TEST_CASE("a slow first pass, as of cold memory, decides nothing", "[runtime][threads]") {
  ThreadTuner tuner(2, 8, 3);
  int pass = 0;
  const auto runs = run(tuner, 60, [&](std::size_t threads) { return pass++ == 0 ? 50.0 : shared_out(threads); });
  CHECK(tuner.fastest() == 2);
  CHECK(runs.at(2) >= 50);
}

TEST_CASE("passes that are slow now and then, on any number of threads, decide nothing", "[runtime][threads]") {
  ThreadTuner tuner(2, 8, 3);
  int pass = 0;
  const auto runs = run(tuner, 2000, [&](std::size_t threads) { return ++pass % 3 == 0 ? 5.0 : shared_out(threads); });
  CHECK(runs.at(2) >= 1950);
}

TEST_CASE("when passes are held up fewer threads are tried soon, and rarely where that does not help", "[runtime][threads]") {
  ThreadTuner helped(2, 64, 3), not_helped(2, 64, 3);
  int passes = 0;
  for (; helped.fastest() == 2 && passes < 64; ++passes) {
    const std::size_t threads = helped.choose();
    helped.record(threads == 1 ? 1.0 : 1.2, threads == 2);
  }
  CHECK(passes <= 16);
  int alone = 0;
  for (int pass = 0; pass < 1000; ++pass) {
    const std::size_t threads = not_helped.choose();
    alone += threads == 1;
    not_helped.record(shared_out(threads), threads == 2);
  }
  CHECK(not_helped.fastest() == 2);
  CHECK(alone <= 60);
}

TEST_CASE("when the machine becomes busy fewer threads run, and all again when it is free", "[runtime][threads]") {
  ThreadTuner tuner(4, 8, 3);
  run(tuner, 5000, shared_out);
  const auto busy = [](std::size_t threads) { return threads == 1 ? 1.0 : 5.0; };
  run(tuner, 40, busy);
  CHECK(tuner.fastest() == 1);
  const auto runs = run(tuner, 1000, busy);
  CHECK(runs.at(1) >= 930);
  run(tuner, 400, shared_out);
  CHECK(tuner.fastest() == 4);
}

#include "base/thread_pool.hpp"

#include <algorithm>
#include <atomic>
#include <catch2/catch_test_macros.hpp>
#include <chrono>
#include <numeric>
#include <thread>
#include <vector>

#include "support/errors.hpp"

using heed::ErrorCode;
using heed::ThreadPool;

TEST_CASE("a parallel loop covers every item once, in whole chunks of the asked size", "[runtime][threads]") {
  for (const std::size_t threads : {1, 2, 4, 7}) {
    ThreadPool pool(threads);
    CHECK(pool.threads() == threads);
    for (const std::size_t count : {0, 1, 2, 15, 16, 17, 1000}) {
      for (const std::size_t chunk : {1, 3, 16, 1000, 5000}) {
        std::vector<int> visits(count);
        std::atomic<int> mistakes = 0;
        pool.parallel_for(count, chunk, [&](std::size_t begin, std::size_t end, std::size_t thread) {
          const bool right = begin % chunk == 0 && end <= count && (end % chunk == 0 || end == count) && begin < end;
          if (!right || thread >= threads) ++mistakes;
          for (std::size_t i = begin; i < end; ++i) ++visits[i];
        });
        CHECK(mistakes == 0);
        CHECK(std::ranges::count(visits, 1) == static_cast<std::ptrdiff_t>(count));
      }
    }
  }
}

TEST_CASE("each running thread has a slot of its own", "[runtime][threads]") {
  ThreadPool pool(4);
  std::vector<std::atomic<int>> busy(pool.threads());
  std::atomic<int> clashes = 0;
  for (int loop = 0; loop < 200; ++loop) {
    pool.parallel_for(64, 1, [&](std::size_t, std::size_t, std::size_t thread) {
      if (busy[thread].fetch_add(1) != 0) ++clashes;
      busy[thread].fetch_sub(1);
    });
  }
  CHECK(clashes == 0);
}

TEST_CASE("one thread, or one chunk, runs on the caller", "[runtime][threads]") {
  const auto caller = std::this_thread::get_id();
  const auto check = [caller](ThreadPool& pool, std::size_t count, std::size_t chunk) {
    bool elsewhere = false;
    pool.parallel_for(count, chunk, [&](std::size_t, std::size_t, std::size_t thread) {
      if (std::this_thread::get_id() != caller || thread != 0) elsewhere = true;
    });
    CHECK_FALSE(elsewhere);
  };
  ThreadPool alone(1), team(3);
  check(alone, 100, 1);
  check(team, 8, 8);
  check(team, 8, 100);
}

TEST_CASE("loops run on as many threads as are used", "[runtime][threads]") {
  ThreadPool pool(4);
  CHECK(pool.used() == 4);
  for (const std::size_t used : {1, 3, 2, 4, 1, 4}) {
    pool.use(used);
    CHECK(pool.used() == used);
    std::atomic<int> beyond = 0;
    std::atomic<std::size_t> items = 0;
    for (int loop = 0; loop < 100; ++loop) {
      pool.parallel_for(64, 1, [&](std::size_t begin, std::size_t end, std::size_t thread) {
        if (thread >= used) ++beyond;
        items += end - begin;
      });
    }
    CHECK(beyond == 0);
    CHECK(items == 6400);
  }
  pool.use(0);
  CHECK(pool.used() == 1);
  pool.use(9);
  CHECK(pool.used() == 4);
}

TEST_CASE("what the loop wrote is visible after it, over many tiny loops", "[runtime][threads]") {
  for (const std::size_t threads : {2, 5}) {
    ThreadPool pool(threads);
    std::vector<long> values(12);
    for (long loop = 1; loop <= 20000; ++loop) {
      // Each loop has a body of its own on the stack, so a late worker would use one that no longer exists.
      const long addend = loop;
      pool.parallel_for(values.size(), 1 + static_cast<std::size_t>(loop % 3),
                        [&values, addend](std::size_t begin, std::size_t end, std::size_t) {
                          for (std::size_t i = begin; i < end; ++i) values[i] += addend;
                        });
    }
    CHECK(std::ranges::count(values, 20000l * 20001 / 2) == 12);
  }
}

TEST_CASE("workers that have gone to sleep wake for the next loop, and the caller for its workers", "[runtime][threads]") {
  using namespace std::chrono_literals;
  ThreadPool pool(3);
  for (int round = 0; round < 10; ++round) {
    std::this_thread::sleep_for(2ms);
    std::atomic<int> arrived = 0;
    // Each item waits for the two others, so all three threads have to come.
    pool.parallel_for(3, 1, [&](std::size_t, std::size_t, std::size_t thread) {
      ++arrived;
      while (arrived < 3) std::this_thread::yield();
      if (thread != 0) std::this_thread::sleep_for(1ms);
    });
    CHECK(arrived == 3);
  }
}

TEST_CASE("a pool that starts its workers anew has as many, of which as many are used", "[runtime][threads]") {
  ThreadPool pool(4);
  pool.use(3);
  for (int round = 0; round < 10; ++round) {
    pool.restart();
    CHECK(pool.threads() == 4);
    CHECK(pool.used() == 3);
    std::atomic<int> arrived = 0;
    pool.parallel_for(3, 1, [&](std::size_t, std::size_t, std::size_t) {
      ++arrived;
      while (arrived < 3) std::this_thread::yield();
    });
    CHECK(arrived == 3);
  }
}

TEST_CASE("pools come and go", "[runtime][threads]") {
  for (int i = 0; i < 20; ++i) {
    ThreadPool unused(3);
    ThreadPool pool(2);
    std::atomic<std::size_t> sum = 0;
    pool.parallel_for(10, 1, [&](std::size_t begin, std::size_t, std::size_t) { sum += begin; });
    CHECK(sum == 45);
  }
}

TEST_CASE("a number of threads out of range is refused", "[runtime][threads]") {
  heed::test::check_throws(ErrorCode::invalid_argument, "threads: must be 1 to 256", [] { ThreadPool pool(0); });
  heed::test::check_throws(ErrorCode::invalid_argument, "threads: must be 1 to 256", [] { ThreadPool pool(257); });
}

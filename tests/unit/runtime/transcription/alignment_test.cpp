// The heads that models are known by, and alignment against its naive form: all ways through the costs.
#include "runtime/transcription/alignment.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <functional>
#include <limits>

#include "sampling/random.hpp"
#include "support/errors.hpp"
#include "support/load.hpp"
#include "support/whisper_writer.hpp"

using namespace heed;
using runtime::AlignmentHead;

namespace {

/// The first columns of each row on the cheapest of all ways, by trying them all.
std::vector<std::size_t> try_all_ways(const std::vector<double>& cost, std::size_t rows, std::size_t columns) {
  double least = std::numeric_limits<double>::infinity();
  std::vector<std::size_t> best, firsts(rows);
  const std::function<void(std::size_t, std::size_t, double)> go = [&](std::size_t i, std::size_t j, double sum) {
    sum += cost[i * columns + j];
    if (i + 1 == rows && j + 1 == columns) {
      if (sum < least) {
        least = sum;
        best = firsts;
      }
      return;
    }
    if (j + 1 < columns) go(i, j + 1, sum);
    if (i + 1 == rows) return;
    for (const std::size_t next : {j, j + 1})
      if (next < columns) {
        firsts[i + 1] = next;
        go(i + 1, next, sum);
      }
  };
  go(0, 0, 0);
  return best;
}

}  // namespace

TEST_CASE("alignment finds the cheapest way of all", "[transcription]") {
  constexpr std::size_t kRows = 4, kColumns = 7;
  sampling::Random random(5);
  for (int round = 0; round < 20; ++round) {
    std::vector<double> cost(kRows * kColumns);
    for (double& value : cost) value = random.uniform() * 2 - 1;
    CHECK(runtime::cheapest_way(cost, kRows, kColumns) == try_all_ways(cost, kRows, kColumns));
  }
}

TEST_CASE("a way goes down where there are more tokens than positions", "[transcription]") {
  CHECK(runtime::cheapest_way(std::vector<double>(3), 3, 1) == std::vector<std::size_t>{0, 0, 0});
  CHECK(runtime::cheapest_way(std::vector<double>(3), 1, 3) == std::vector<std::size_t>{0});
}

TEST_CASE("a model of an unknown kind is aligned by the later half of its layers", "[transcription]") {
  test::WhisperWriter writer;
  writer.layers = 2;
  const auto model = test::load_bytes(writer.finish());
  const std::vector<AlignmentHead> heads = runtime::alignment_heads(*model);
  REQUIRE(heads.size() == 2);
  CHECK(heads[0].layer == 1);
  CHECK(heads[1].head == 1);
  const auto refuse = [&](std::vector<AlignmentHead> wrong) {
    test::check_throws(ErrorCode::invalid_argument, "has no head", [&] { runtime::alignment_requests(*model, wrong); });
  };
  refuse({{2, 0}});
  refuse({{0, 2}});
  refuse({{0, 1}, {0, 1}});
}

TEST_CASE("the smallest model is known by its sizes", "[transcription]") {
  test::WhisperWriter writer;
  writer.layers = 4;
  writer.width = 12;
  writer.heads = 6;
  const std::vector<AlignmentHead> heads = runtime::alignment_heads(*test::load_bytes(writer.finish()));
  REQUIRE(heads.size() == 8);
  CHECK(heads[2].layer == 2);
  CHECK(heads[2].head == 5);
}

TEST_CASE("a long stretch of a token begins with a pause, if its first weights are small", "[transcription]") {
  std::vector<double> stretch(30, 1.0);
  CHECK(runtime::pause_in(stretch) == 0);
  std::fill_n(stretch.begin(), 10, 0.04);
  CHECK(runtime::pause_in(stretch) == 10);
  CHECK(runtime::pause_in(std::span(stretch).first(20)) == 0);  // no longer than 0.4 s
  stretch[5] = 0.06;
  CHECK(runtime::pause_in(stretch) == 5);
  CHECK(runtime::pause_in(std::vector<double>(30)) == 0);
}

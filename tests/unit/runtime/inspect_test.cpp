// Attention as it is recorded.
#include "runtime/requests.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>
#include <numeric>

#include "support/errors.hpp"
#include "support/load.hpp"
#include "support/reader.hpp"
#include "support/recorders.hpp"
#include "support/tiny_model.hpp"

using namespace heed;
using namespace heed::runtime;
using test::AttentionProbe;
using test::check_throws;

namespace {

const std::vector<TokenId> kInspected = {1, 30, 259, 300, 7, 7, 120, 64, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76};

/// Each row sums to 1, and gives nothing to later positions.
void check_causal(const AttentionProbe& probe) {
  REQUIRE(probe.weights().size() == probe.layers().size() * probe.heads().size() * probe.queries() * probe.keys());
  for (std::size_t row = 0; row < probe.weights().size() / probe.keys(); ++row) {
    const auto weights = probe.weights().subspan(row * probe.keys(), probe.keys());
    const std::size_t position = probe.first() + row % probe.queries();
    double sum = 0;
    for (std::size_t key = 0; key < weights.size(); ++key) {
      CHECK(weights[key] >= 0);
      if (key > position) CHECK(weights[key] == 0);
      sum += weights[key];
    }
    CHECK(std::abs(sum - 1) < 1e-5);
  }
}

}  // namespace

TEST_CASE("attention of every layer and head is recorded, and costs no bit", "[runtime][inspect]") {
  const auto model = test::load_bytes(test::tiny_llama());
  const auto expected = test::model_logits(*model, kInspected);
  test::Reader reader(*model);
  AttentionProbe probe(reader.model(), {}, {});
  CHECK(probe.layers().size() == 2);
  CHECK(probe.heads().size() == 4);
  std::vector<float> logits(kInspected.size() * 320);
  reader.forward(kInspected, logits, &probe);
  CHECK(logits == expected);
  CHECK(probe.first() == 0);
  CHECK(probe.queries() == kInspected.size());
  check_causal(probe);
}

TEST_CASE("a selection is a part of the whole, in the order asked for", "[runtime][inspect]") {
  const auto model = test::load_bytes(test::tiny_llama());
  test::Reader reader(*model);
  AttentionProbe whole(reader.model(), {}, {}), part(reader.model(), {1}, {3, 0});
  reader.forward(kInspected, {}, &whole);
  reader.truncate(0);
  reader.forward(kInspected, {}, &part);
  const std::size_t plane = kInspected.size() * kInspected.size();
  REQUIRE(part.weights().size() == 2 * plane);
  const auto plane_of = [&](const AttentionProbe& probe, std::size_t i) {
    const auto weights = probe.weights().subspan(i * plane, plane);
    return std::vector<float>(weights.begin(), weights.end());
  };
  CHECK(plane_of(part, 0) == plane_of(whole, 4 + 3));
  CHECK(plane_of(part, 1) == plane_of(whole, 4 + 0));
}

TEST_CASE("a probe made ready for all collects over several batches", "[runtime][inspect]") {
  const auto model = test::load_bytes(test::tiny_llama());
  test::Reader reader(*model);
  AttentionProbe whole(reader.model(), {}, {}), pieces(reader.model(), {}, {});
  reader.forward(kInspected, {}, &whole);
  reader.truncate(0);
  pieces.prepare(0, kInspected.size());
  for (std::size_t i = 0; i < kInspected.size(); i += 7)
    reader.forward(std::span(kInspected).subspan(i, std::min<std::size_t>(7, kInspected.size() - i)), {}, &pieces);
  CHECK(std::vector<float>(pieces.weights().begin(), pieces.weights().end()) ==
        std::vector<float>(whole.weights().begin(), whole.weights().end()));
}

TEST_CASE("without that a probe holds the last batch, over all keys", "[runtime][inspect]") {
  const auto model = test::load_bytes(test::tiny_llama());
  test::Reader reader(*model);
  AttentionProbe probe(reader.model(), {0}, {2});
  reader.forward(std::span(kInspected).first(15), {}, &probe);
  reader.forward(std::span(kInspected).subspan(15), {}, &probe);
  CHECK(probe.first() == 15);
  CHECK(probe.queries() == 5);
  CHECK(probe.keys() == 20);
  check_causal(probe);
}

TEST_CASE("layers and heads that there are not are named", "[runtime][inspect]") {
  const auto model = test::load_bytes(test::tiny_llama());
  const test::Reader reader(*model);
  const auto check_refused = [&](const std::string& message, std::vector<std::uint32_t> layers, std::vector<std::uint32_t> heads) {
    check_throws(ErrorCode::invalid_argument, message, [&] { const AttentionProbe probe(reader.model(), layers, heads); });
  };
  check_refused("layers: 2 is out of range: the model has 2 layers", {0, 2}, {});
  check_refused("heads: 4 is out of range: the model has 4 heads", {}, {4});
  check_refused("layers: 1 is listed twice", {1, 0, 1}, {});
  check_refused("heads: 0 is listed twice", {}, {0, 0});
}

TEST_CASE("weights that cannot fit are an error, however many", "[runtime][inspect]") {
  const auto model = test::load_bytes(test::tiny_llama());
  const test::Reader reader(*model);
  AttentionProbe probe(reader.model(), {}, {});
  for (const std::size_t count : {std::size_t{1} << 31, std::numeric_limits<std::size_t>::max() / 16})
    check_throws(ErrorCode::out_of_memory, "attention: not enough memory for", [&] { probe.prepare(0, count); });
  probe.prepare(3, 0);
  CHECK(probe.weights().empty());
}

// The angles of RoPE against their formulas in the C library's double.
#include "nn/rope.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>
#include <numeric>
#include <string_view>

#include "unit/nn/naive/rope.hpp"
#include "unit/nn/check_decoder.hpp"

using namespace heed;
using namespace heed::test;

namespace {

struct Angles {
  std::vector<float> cosines, sines;  // positions x dims / 2
};

/// Angles of the positions [first, first + count).
Angles angles(const nn::RopeSpec& rope, std::size_t first, std::size_t count, const std::vector<float>& divisors = {},
              const nn::Coordinates* places = nullptr) {
  Tensors tensors;
  if (!divisors.empty()) tensors["rope_freqs.weight"] = {{divisors.size()}, divisors};
  const formats::TensorFile file = directory(tensors);
  nn::Weights weights(file, kernels::select());
  const nn::Rope block(rope, 0, 1, weights);
  fill(weights, file, tensors);

  ThreadPool pool(2);
  nn::KvCachePool kept({}, KvType::f32);
  nn::KvCache cache(kept);
  nn::Segment segment{.cache = cache, .position = first, .count = count};
  nn::Scratch scratch(nn::Rope::need(rope, {.tokens = count}), pool.threads(), kernels::select());
  nn::Angles of_rope;
  nn::Pass pass{.kernels = kernels::select(),
                .pool = pool,
                .scratch = scratch,
                .segments = {&segment, 1},
                .tokens = count,
                .coordinates = places,
                .angles = &of_rope};
  block.fill_angles(pass);
  const std::size_t size = count * (rope.dims / 2);
  return {{of_rope.cosines, of_rope.cosines + size}, {of_rope.sines, of_rope.sines + size}};
}

void check(const nn::RopeSpec& rope, const std::vector<float>& divisors = {}) {
  const std::size_t half = rope.dims / 2;
  for (const std::size_t first : {0, 1, 100, 131000}) {
    const Angles got = angles(rope, first, 11, divisors);
    for (std::size_t t = 0; t < 11; ++t) {
      for (std::size_t i = 0; i < half; ++i) {
        const double angle = naive::angle(rope, i, first + t, divisors.empty() ? 1 : divisors[i]);
        const double magnitude = naive::magnitude(rope);
        INFO("position " << first + t << ", pair " << i);
        // frequencies in double are exact to a few parts in 10^16, and angles are up to 131010
        CHECK(std::fabs(got.cosines[t * half + i] - magnitude * std::cos(angle)) <= 1e-7 * magnitude);
        CHECK(std::fabs(got.sines[t * half + i] - magnitude * std::sin(angle)) <= 1e-7 * magnitude);
      }
    }
  }
}

}  // namespace

TEST_CASE("rope turns by position / theta^(2i / dims)", "[nn][rope]") {
  nn::RopeSpec rope;
  for (const std::size_t dims : {2, 8, 128}) {
    for (const float theta : {10000.0f, 500000.0f, 1e6f}) {
      rope.dims = dims;
      rope.theta = theta;
      check(rope);
    }
  }
  rope.magnitude = 1.25f;
  check(rope);
}

TEST_CASE("linear scaling divides positions", "[nn][rope]") {
  check({.dims = 64, .scaling = nn::RopeScaling::linear, .factor = 4});
}

TEST_CASE("yarn blends frequencies and raises the magnitude", "[nn][rope]") {
  for (const float factor : {1.0f, 2.0f, 32.0f})
    for (const std::size_t context : {1, 64, 4096, 32768})
      for (const float theta : {2.0f, 10000.0f, 1e6f})
        check({.dims = 64, .theta = theta, .scaling = nn::RopeScaling::yarn, .factor = factor, .original_context = context});
}

TEST_CASE("yarn's ramp lies where a file says", "[nn][rope]") {
  for (const auto& [fast, slow] : {std::pair{8.0f, 2.0f}, {0.5f, 0.1f}, {1.0f, 32.0f}, {4.0f, 4.0f}, {1e30f, 1e-30f}})
    check({.dims = 64,
           .scaling = nn::RopeScaling::yarn,
           .factor = 4,
           .original_context = 24,
           .fast_turns = fast,
           .slow_turns = slow});
}

TEST_CASE("of a patch, rows turn one half of the pairs and columns the other", "[nn][rope][vision]") {
  constexpr std::size_t kDims = 16, kHalf = kDims / 2;
  const std::vector<nn::Coordinates> places = {{{0, 0, 0}}, {{0, 3, 0}}, {{0, 0, 5}}, {{0, 250, 17}}};
  for (const auto axes : {nn::RopeAxes::rows_columns, nn::RopeAxes::columns_rows, nn::RopeAxes::alternating}) {
    const nn::RopeSpec rope{.dims = kDims, .theta = 100, .axes = axes};
    const Angles got = angles(rope, 40, places.size(), {}, places.data());  // the positions do not count
    for (std::size_t t = 0; t < places.size(); ++t)
      for (std::size_t i = 0; i < kHalf; ++i) {
        const bool second = i >= kHalf / 2, by_row = second == (axes == nn::RopeAxes::columns_rows);
        const double number = axes == nn::RopeAxes::alternating ? 2.0 * static_cast<double>(i % 4) + (second ? 1 : 0)
                                                                : 2.0 * static_cast<double>(i % 4);
        const auto place = static_cast<double>(places[t][by_row ? nn::Axis::row : nn::Axis::column]);
        const double angle = place * std::pow(100.0, -2.0 * number / static_cast<double>(kDims));
        INFO("patch " << t << ", pair " << i);
        CHECK(std::fabs(got.cosines[t * kHalf + i] - std::cos(angle)) <= 1e-7);
        CHECK(std::fabs(got.sines[t * kHalf + i] - std::sin(angle)) <= 1e-7);
      }
  }
}

TEST_CASE("of a text with pictures, each section of the pairs turns by its own axis", "[nn][rope][vision]") {
  constexpr std::size_t kDims = 24, kHalf = kDims / 2;
  const std::vector<nn::Coordinates> places = {{{7, 7, 7, 7}}, {{9, 0, 0, 0}}, {{0, 9, 0, 0}},
                                               {{0, 0, 9, 0}}, {{0, 0, 0, 9}}, {{3, 250, 17, 4}}};
  struct Sections {
    std::size_t pairs[4];
    nn::RopeAxes axes;
    std::string_view turned_by;  // of each pair: time, row, column or the fourth
  };
  for (const auto& [pairs, axes, turned_by] : {Sections{{4, 3, 3, 2}, nn::RopeAxes::consecutive, "ttttrrrcccff"},
                                               Sections{{4, 4, 4, 0}, nn::RopeAxes::consecutive, "ttttrrrrcccc"},
                                               Sections{{0, 0, 12, 0}, nn::RopeAxes::consecutive, "cccccccccccc"},
                                               Sections{{4, 4, 4, 0}, nn::RopeAxes::interleaved, "trctrctrctrc"},
                                               Sections{{6, 3, 3, 0}, nn::RopeAxes::interleaved, "trctrctrctff"},
                                               Sections{{2, 3, 1, 6}, nn::RopeAxes::interleaved, "trctrffrffff"}}) {
    nn::RopeSpec rope{.dims = kDims, .theta = 1000, .axes = axes};
    std::copy_n(pairs, 4, rope.sections);
    const Angles got = angles(rope, 40, places.size(), {}, places.data());
    for (std::size_t t = 0; t < places.size(); ++t)
      for (std::size_t i = 0; i < kHalf; ++i) {
        const auto place = static_cast<double>(places[t].values[std::string_view("trcf").find(turned_by[i])]);
        const double angle = place * std::pow(1000.0, -2.0 * static_cast<double>(i) / static_cast<double>(kDims));
        INFO(turned_by << ", token " << t << ", pair " << i);
        CHECK(std::fabs(got.cosines[t * kHalf + i] - std::cos(angle)) <= 1e-7);
        CHECK(std::fabs(got.sines[t * kHalf + i] - std::sin(angle)) <= 1e-7);
      }
    nn::RopeSpec plain = rope;
    plain.axes = nn::RopeAxes::position;
    const Angles text = angles(rope, 1000, 9), same = angles(plain, 1000, 9);
    CHECK((text.cosines == same.cosines && text.sines == same.sines));  // without images nothing differs
  }
}

TEST_CASE("factors of a file divide the frequencies", "[nn][rope]") {
  check({.dims = 8, .theta = 500000.0f}, {1.0f, 1.0f, 3.7f, 8.0f});
}

TEST_CASE("of several ropes some alone may be divided, as far as not turning at all", "[nn][rope]") {
  nn::DecoderSpec spec = llama_like();
  std::get<nn::AttentionSpec>(spec.stack.layers[1].sublayers[0].block).rope = nn::RopeSpec{.dims = 6, .divided = false};
  Tensors tensors = random_weights(spec);
  tensors["rope_freqs.weight"] = {{4}, {1, 2.5f, 1e30f, 1e30f}};
  check_decoder(spec, tensors);
}

TEST_CASE("factors that make no sense do no harm", "[nn][rope]") {
  using Limits = std::numeric_limits<float>;
  const Angles got = angles({.dims = 10}, 5, 2, {0.0f, Limits::quiet_NaN(), Limits::denorm_min(), Limits::infinity(), -1.0f});
  for (const float cosine : got.cosines) CHECK(std::fabs(cosine) <= 1.0f);
}

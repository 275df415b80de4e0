// Resizing against the same formulas with the C library's sine, sample by sample.
#include "images/resize.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "support/errors.hpp"
#include "support/fuzz.hpp"

using namespace heed;
using images::Filter;
using images::Picture;

namespace {

Picture noise(images::Size size, std::uint64_t seed) {
  test::Fuzz fuzz(seed);
  Picture picture{size, std::vector<std::uint8_t>(size.pixels() * 3)};
  for (std::uint8_t& value : picture.rgb) value = static_cast<std::uint8_t>(fuzz.from_to(0, 255));
  return picture;
}

double filter_value(Filter filter, double x) {
  const double d = std::fabs(x), pi = std::acos(-1.0);
  const auto sinc = [&](double y) { return y == 0 ? 1.0 : std::sin(pi * y) / (pi * y); };
  if (filter == Filter::bilinear) return d < 1 ? 1 - d : 0;
  if (filter == Filter::lanczos) return d < 3 ? sinc(x) * sinc(x / 3) : 0;
  if (d < 1) return 1.5 * d * d * d - 2.5 * d * d + 1;
  return d < 2 ? -0.5 * (d * d * d - 5 * d * d + 8 * d - 4) : 0;
}

/// One sample of an axis; get(i) is sample i of `n`.
template <class Get>
std::uint8_t sample(Filter filter, std::size_t n, std::size_t size, std::size_t k, Get get) {
  const double scale = static_cast<double>(n) / static_cast<double>(size), f = std::max(scale, 1.0);
  const double center = (static_cast<double>(k) + 0.5) * scale;
  const double reach = (filter == Filter::bilinear ? 1 : filter == Filter::bicubic ? 2 : 3) * f;
  const auto low = static_cast<std::size_t>(std::max(0.0, std::trunc(center - reach + 0.5)));
  const std::size_t high = std::min(n, static_cast<std::size_t>(std::trunc(center + reach + 0.5)));
  double total = 0;
  for (std::size_t i = low; i < high; ++i) total += filter_value(filter, (static_cast<double>(i) - center + 0.5) / f);
  long long sum = 1 << 21;
  for (std::size_t i = low; i < high; ++i) {
    const double weight = filter_value(filter, (static_cast<double>(i) - center + 0.5) / f) / total;
    sum += static_cast<long long>(std::trunc(weight * 4194304 + (weight < 0 ? -0.5 : 0.5))) * get(i);
  }
  return static_cast<std::uint8_t>(std::clamp(sum >> 22, 0LL, 255LL));
}

Picture naive_resize(const Picture& from, images::Size to, Filter filter) {
  Picture wide{{to.width, from.size.height}, std::vector<std::uint8_t>(to.width * from.size.height * 3)};
  Picture out{to, std::vector<std::uint8_t>(to.pixels() * 3)};
  for (std::size_t c = 0; c < 3; ++c) {
    for (std::size_t y = 0; y < from.size.height; ++y)
      for (std::size_t x = 0; x < to.width; ++x)
        wide.at(x, y)[c] = from.size.width == to.width
                               ? from.at(x, y)[c]
                               : sample(filter, from.size.width, to.width, x, [&](std::size_t i) { return from.at(i, y)[c]; });
    for (std::size_t y = 0; y < to.height; ++y)
      for (std::size_t x = 0; x < to.width; ++x)
        out.at(x, y)[c] = from.size.height == to.height
                              ? wide.at(x, y)[c]
                              : sample(filter, from.size.height, to.height, y, [&](std::size_t i) { return wide.at(x, i)[c]; });
  }
  return out;
}

constexpr Filter kFilters[] = {Filter::bilinear, Filter::bicubic, Filter::lanczos};

}  // namespace

TEST_CASE("pictures are enlarged, shrunk and stretched as by the formulas", "[images]") {
  const Picture picture = noise({23, 17}, 1);
  for (const Filter filter : kFilters)
    for (const images::Size to : {images::Size{64, 48}, {7, 5}, {23, 40}, {50, 17}, {1, 1}, {3, 90}, {22, 18}}) {
      INFO(static_cast<int>(filter) << ": " << to.width << " x " << to.height);
      const Picture got = images::resize(picture, to, filter);
      CHECK(got.size == to);
      CHECK(got.rgb == naive_resize(picture, to, filter).rgb);
    }
}

TEST_CASE("a picture of one color keeps it, and one of the right size its bytes", "[images]") {
  const Picture gray{{9, 4}, std::vector<std::uint8_t>(9 * 4 * 3, 131)};
  for (const Filter filter : kFilters) {
    const Picture got = images::resize(gray, {31, 2}, filter);
    CHECK(std::all_of(got.rgb.begin(), got.rgb.end(), [](std::uint8_t value) { return value == 131; }));
    const Picture same = noise({9, 4}, 2);
    CHECK(images::resize(same, {9, 4}, filter).rgb == same.rgb);
  }
}

TEST_CASE("pictures without pixels, with too many, or with other bytes are refused", "[images]") {
  const auto refuses = [](images::Size size, const std::string& part) {
    test::check_throws(ErrorCode::invalid_argument, part, [&] { images::check_size(size); });
  };
  refuses({0, 10}, "image: 0 x 10 pixels; sides must be from 1 to 32768");
  refuses({10, 0}, "10 x 0 pixels");
  refuses({100000, 3}, "100000 x 3 pixels; sides");
  refuses({static_cast<std::size_t>(-1), static_cast<std::size_t>(-1)}, "sides");
  refuses({32768, 32768}, "at most 134217728");
  images::check_size({32768, 4096});
  test::check_throws(ErrorCode::invalid_argument, "has 11 bytes, but must have 3 for each of 2 x 2 pixels",
                     [] { images::check({{2, 2}, std::vector<std::uint8_t>(11)}); });
}

TEST_CASE("a large picture is resized in steps of bounded work, with the same bits", "[images]") {
  const Picture picture = noise({3000, 3000}, 9);
  const auto rows_of = [&](std::size_t first, std::size_t count) {
    const auto at = [&](std::size_t y) { return picture.rgb.begin() + static_cast<std::ptrdiff_t>(y * picture.size.width * 3); };
    return Picture{{picture.size.width, count}, {at(first), at(first + count)}};
  };
  for (const Filter filter : {Filter::bilinear, Filter::bicubic, Filter::lanczos}) {
    images::Resizing resizing(picture, {64, 3000}, filter);
    std::size_t steps = 0;
    for (; !resizing.done(); ++steps) resizing.step();
    CHECK(steps >= 3);
    const Picture whole = resizing.take();
    for (const std::size_t first : {0u, 1400u, 2990u}) {
      const Picture part = images::resize(rows_of(first, 10), {64, 10}, filter);
      CHECK(std::equal(part.rgb.begin(), part.rgb.end(), whole.at(0, first)));
    }
  }
}

TEST_CASE("black and white survive any resizing", "[images]") {
  for (const std::uint8_t color : {0, 255})
    for (const Filter filter : {Filter::bilinear, Filter::bicubic, Filter::lanczos})
      for (const images::Size from : {images::Size{1, 32768}, images::Size{32768, 1}, images::Size{7, 5}, images::Size{2, 2}})
        for (const images::Size to : {images::Size{1, 1}, images::Size{3, 2}, images::Size{500, 300}}) {
          const Picture got = images::resize({from, std::vector<std::uint8_t>(from.pixels() * 3, color)}, to, filter);
          const auto far = [&](std::uint8_t value) { return std::abs(value - color) > 1; };
          CHECK(std::ranges::none_of(got.rgb, far));
        }
}

// An image as the single tile of a model that embeds or classifies images.
#include "images/whole.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "support/errors.hpp"

namespace heed {
namespace {

/// An image in which the red of pixel i is 10 i, and which has no other color.
images::Picture numbered(images::Size size) {
  images::Picture picture{size, std::vector<std::uint8_t>(size.pixels() * 3)};
  for (std::size_t i = 0; i < size.pixels(); ++i) picture.rgb[i * 3] = static_cast<std::uint8_t>(10 * i);
  return picture;
}

std::vector<float> red_of_whole(images::Whole whole, images::Filter filter, images::Size size) {
  images::Preparation preparation{.method = whole, .filter = filter, .mean = {0.25f, 0, 0}, .deviation = {0.5f, 1, 1}};
  std::vector<float> planes = images::normalized_whole(preparation, numbered(size));
  const std::size_t pixels = whole.side * whole.side;
  REQUIRE(planes.size() == 3 * pixels);
  for (std::size_t i = pixels; i < planes.size(); ++i) CHECK(planes[i] == 0);
  planes.resize(pixels);
  return planes;
}

bool is_red(float normalized, double red) { return std::abs(normalized - (red / 255 - 0.25) / 0.5) < 1e-6; }

}  // namespace

TEST_CASE("a whole picture of the tile's size keeps its pixels", "[images]") {
  for (const bool cropped : {false, true})
    for (const auto filter : {images::Filter::bilinear, images::Filter::bicubic}) {
      const std::vector<float> whole = red_of_whole({.side = 2, .cropped = cropped}, filter, {2, 2});
      for (std::size_t i = 0; i < 4; ++i) CHECK(is_red(whole[i], 10.0 * static_cast<double>(i)));
    }
}

TEST_CASE("a longer picture becomes whole cut in the middle, or stretched", "[images]") {
  const std::vector<float> cut = red_of_whole({.side = 2, .cropped = true}, images::Filter::bicubic, {6, 2});
  for (const auto& [i, red] : {std::pair{0, 20}, {1, 30}, {2, 80}, {3, 90}}) CHECK(is_red(cut[static_cast<std::size_t>(i)], red));
  // Of four pixels, the first of two is 3/4, 3/4 and 1/4 of the first three: the filter reaches two to each side.
  const std::vector<float> stretched = red_of_whole({.side = 2}, images::Filter::bilinear, {4, 2});
  CHECK(is_red(stretched[0], (0.75 * 10 + 0.25 * 20) / 1.75));
  CHECK(is_red(stretched[1], (0.25 * 10 + 0.75 * 20 + 0.75 * 30) / 1.75));
}

TEST_CASE("colors of a whole are not rounded to bytes between the passes", "[images]") {
  const std::vector<float> one = red_of_whole({.side = 1}, images::Filter::bilinear, {3, 2});
  CHECK(is_red(one[0], 10 + 30 / 2.0));
  const std::vector<float> three = red_of_whole({.side = 3}, images::Filter::bilinear, {2, 2});
  CHECK(is_red(three[4], 15));
  CHECK(is_red(three[1], 5));
}

TEST_CASE("a picture whose bytes do not match its size has no whole", "[images]") {
  images::Picture torn = numbered({2, 2});
  torn.rgb.pop_back();
  test::check_throws(ErrorCode::invalid_argument, "has 11 bytes, but must have 3 for each of 2 x 2 pixels",
                     [&] { images::normalized_whole({.method = images::Whole{.side = 2}}, torn); });
}

}  // namespace heed

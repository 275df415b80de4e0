// Tiles of images whose pixels say where they come from.
#include "images/tiles.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "support/errors.hpp"

using namespace heed;
using images::Picture;
using images::Size;

namespace {

/// Red counts columns, green rows.
Picture counted(Size size) {
  Picture picture{size, std::vector<std::uint8_t>(size.pixels() * 3)};
  for (std::size_t y = 0; y < size.height; ++y)
    for (std::size_t x = 0; x < size.width; ++x) {
      picture.at(x, y)[0] = static_cast<std::uint8_t>(x);
      picture.at(x, y)[1] = static_cast<std::uint8_t>(y);
    }
  return picture;
}

}  // namespace

TEST_CASE("a picture is made of three or four bytes for each pixel", "[images]") {
  const std::vector<std::uint8_t> rgb = {1, 2, 3, 4, 5, 6}, rgba = {1, 2, 3, 255, 4, 5, 6, 255};
  CHECK(images::picture_of({2, 1}, rgb).rgb == rgb);
  CHECK(images::picture_of({1, 2}, rgba).rgb == rgb);
  const auto refuses = [](Size size, const std::vector<std::uint8_t>& bytes, const std::string& message) {
    test::check_throws(ErrorCode::invalid_argument, message, [&] { images::picture_of(size, bytes); });
  };
  refuses({2, 1}, {1, 2, 3, 4, 5, 6, 7}, "image: has 7 bytes, but must have 3");
  refuses({2, 1}, {}, "image: has 0 bytes");
  refuses({0, 1}, {}, "image: 0 x 1 pixels");
  refuses({1u << 15, 1u << 15}, rgb, "there may be at most");
}

TEST_CASE("a picture is seen on white, whatever its transparent pixels hide", "[images]") {
  for (unsigned opacity = 0; opacity < 256; ++opacity)
    for (unsigned color = 0; color < 256; ++color) {
      const auto seen = images::on_white(static_cast<std::uint8_t>(color), static_cast<std::uint8_t>(opacity));
      const double product = std::round(color * opacity / 255.0);
      if (seen != 255 - opacity + product) FAIL(color << " of " << opacity << ": " << int{seen});
      if (opacity == 0) continue;
      // a pixel as a canvas returns it after multiplying by its opacity
      const auto given = static_cast<std::uint8_t>(std::round(product * 255 / opacity));
      if (images::on_white(given, static_cast<std::uint8_t>(opacity)) != seen) FAIL(color << " of " << opacity << " on a canvas");
    }
  const std::vector<std::uint8_t> hidden = {9, 99, 200, 0, 0, 0, 0, 0};
  CHECK(images::picture_of({2, 1}, hidden).rgb == std::vector<std::uint8_t>(6, 255));
}

TEST_CASE("tiles lie by rows, and the overview comes last", "[images]") {
  const images::Preparation preparation{.method = images::LongestEdge{96, 32}};
  const Picture picture = counted({96, 64});
  const std::vector<Picture> tiles = images::tiles_of(preparation, picture);
  REQUIRE(tiles.size() == 7);
  for (std::size_t i = 0; i < 6; ++i) {
    CHECK(tiles[i].size == Size{32, 32});
    CHECK(tiles[i].at(0, 0)[0] == i % 3 * 32);
    CHECK(tiles[i].at(31, 31)[1] == i / 3 * 32 + 31);
  }
  CHECK(tiles[6].rgb == images::resize(picture, {32, 32}, preparation.filter).rgb);
}

TEST_CASE("a picture that keeps its shape is padded around", "[images]") {
  images::Preparation preparation{.method = images::Square{20}};
  preparation.padding[0] = 7;
  preparation.padding[2] = 9;
  const Picture white{{10, 5}, std::vector<std::uint8_t>(150, 255)};
  const Picture tile = images::tiles_of(preparation, white).at(0);
  REQUIRE(tile.size == Size{20, 20});
  for (std::size_t y = 0; y < 20; ++y) {
    INFO(y);
    const bool inside = y >= 5 && y < 15;
    CHECK(tile.at(3, y)[0] == (inside ? 255 : 7));
    CHECK(tile.at(3, y)[1] == (inside ? 255 : 0));
    CHECK(tile.at(3, y)[2] == (inside ? 255 : 9));
  }
  const Picture whole = counted({20, 20});
  CHECK(images::tiles_of(preparation, whole).at(0).rgb == whole.rgb);
}

TEST_CASE("colors are normalized plane by plane", "[images]") {
  images::Preparation preparation{.method = images::Square{2}};
  for (int c = 0; c < 3; ++c) {
    preparation.mean[c] = 0.25f * static_cast<float>(c);
    preparation.deviation[c] = 0.5f + static_cast<float>(c);
  }
  const Picture tile{{2, 2}, {0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 255}};
  const std::vector<float> planes = images::normalize(preparation, tile);
  REQUIRE(planes.size() == 12);
  for (std::size_t i = 0; i < 12; ++i) {
    const std::size_t c = i / 4;
    CHECK(planes[i] == (static_cast<float>(tile.rgb[i % 4 * 3 + c]) / 255.0f - preparation.mean[c]) / preparation.deviation[c]);
  }
}

// Which tiles images of any size become.
#include "images/layout.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "support/errors.hpp"
#include "support/fuzz.hpp"

using namespace heed;
using images::Layout;
using images::Size;

namespace {

images::Preparation of(const decltype(images::Preparation::method)& method) { return {.method = method}; }

const images::Preparation kMethods[] = {
    of(images::Square{224}),
    of(images::OwnSize{28, 3136, 50176}),
    of(images::LongestEdge{1024, 256}),
    of(images::MostPixels{112, 1, 12}),
    of(images::NearestShape{{32, 65536, 262144}, 512, 2, 10}),
};

/// How much of an area is inside the image.
double inside(const images::Rectangle& area, Size picture) {
  const double width = std::min(area.x + area.width, static_cast<double>(picture.width)) - std::max(area.x, 0.0);
  const double height = std::min(area.y + area.height, static_cast<double>(picture.height)) - std::max(area.y, 0.0);
  return std::max(width, 0.0) * std::max(height, 0.0);
}

std::size_t pixels_of(const Layout& layout) {
  std::size_t pixels = 0;
  for (const Size tile : layout.tiles()) pixels += tile.pixels();
  return pixels;
}

/// All layouts of an image, from the model's own on.
std::vector<Layout> steps(const images::Preparation& preparation, Size picture) {
  std::vector<Layout> layouts;
  for (std::optional<images::Preparation> next = preparation; next; next = images::coarser(*next, picture))
    layouts.push_back(images::layout_of(*next, picture));
  return layouts;
}

}  // namespace

TEST_CASE("a picture's own size becomes multiples of the unit, within the bounds", "[images]") {
  const images::OwnSize rule{28, 3136, 50176};
  CHECK(images::own_size(rule, {140, 84}) == Size{140, 84});
  CHECK(images::own_size(rule, {150, 70}) == Size{140, 84});  // a half is rounded up
  CHECK(images::own_size(rule, {1, 1}) == Size{56, 56});
  CHECK(images::own_size(rule, {2000, 1000}) == Size{308, 140});
  CHECK(images::own_size(rule, {30000, 1}) == Size{38780, 28});  // the shape is kept, as far as the unit allows
}

TEST_CASE("every picture becomes tiles that cover its canvas", "[images]") {
  test::Fuzz fuzz(1);
  for (const images::Preparation& preparation : kMethods)
    for (int i = 0; i < 300; ++i) {
      const std::size_t most = std::size_t{1} << fuzz.from_to(0, 12);
      const Size picture{fuzz.from_to(1, most), fuzz.from_to(1, most)};
      INFO(preparation.method.index() << ": " << picture.width << " x " << picture.height);
      const Layout layout = images::layout_of(preparation, picture);
      CHECK(layout.tile().width * layout.columns == layout.canvas.width);
      CHECK(layout.tile().height * layout.rows == layout.canvas.height);
      CHECK(layout.tiles().size() == layout.columns * layout.rows + (layout.overview ? 1 : 0));
      for (const Size tile : layout.tiles()) CHECK(tile.pixels() > 0);
      const std::vector<images::Rectangle> areas = layout.areas(picture);
      REQUIRE(areas.size() == layout.tiles().size());
      double covered = 0;  // by the tiles of the canvas
      for (std::size_t tile = 0; tile < layout.columns * layout.rows; ++tile) covered += inside(areas[tile], picture);
      CHECK(std::abs(covered - static_cast<double>(picture.pixels())) < 1e-6 * static_cast<double>(picture.pixels()));
      CHECK(inside(areas.back(), picture) > (1 - 1e-6) * static_cast<double>(layout.overview ? picture.pixels() : 0));
    }
}

TEST_CASE("both edges are rounded up to whole tiles", "[images]") {
  const Layout layout = images::layout_of(kMethods[2], {300, 200});
  CHECK(layout.first == Size{1024, 682});
  CHECK(layout.canvas == Size{1024, 768});
  CHECK((layout.columns == 4 && layout.rows == 3));
  CHECK(layout.overview == Size{256, 256});
  CHECK(images::layout_of(kMethods[2], {20000, 1}).first == Size{1024, 1});
}

TEST_CASE("of the grids of tiles one keeps the most pixels, and wastes the fewest", "[images]") {
  const Layout small = images::layout_of(kMethods[3], {112, 50});
  CHECK((small.columns == 1 && small.rows == 1 && !small.overview && !small.fitted));
  const Layout wide = images::layout_of(kMethods[3], {448, 112});
  CHECK((wide.columns == 4 && wide.rows == 1 && wide.overview && wide.fitted));
  const Layout large = images::layout_of(kMethods[3], {4000, 3000});
  CHECK((large.columns == 4 && large.rows == 3));
}

TEST_CASE("only pictures well beyond an overview are cut, into the grid of the nearest shape", "[images]") {
  const Layout whole = images::layout_of(kMethods[4], {700, 700});
  CHECK((whole.columns == 1 && whole.rows == 1 && !whole.overview));
  CHECK(whole.canvas == Size{512, 512});
  const Layout cut = images::layout_of(kMethods[4], {1536, 1024});
  CHECK((cut.columns == 3 && cut.rows == 2 && cut.fitted));
  CHECK(cut.overview == Size{608, 416});
}

TEST_CASE("no picture without pixels or with too many is laid out", "[images]") {
  for (const images::Preparation& preparation : kMethods) {
    for (const Size size : {Size{0, 0}, {0, 5}, {5, 0}, {100000, 100000}, {1, 100000}, {20000, 20000}})
      test::check_throws(ErrorCode::invalid_argument, "image: ", [&] { images::layout_of(preparation, size); });
    images::layout_of(preparation, {1, 32768});
    images::layout_of(preparation, {32768, 4096});
  }
  // far beyond its bounds, as thin as it is
  test::check_throws(ErrorCode::invalid_argument, "there may be at most",
                     [] { images::layout_of(of(images::OwnSize{4096, 1, std::size_t{1} << 26}), {32768, 1}); });
}

TEST_CASE("each step has fewer pixels, and there is a last one", "[images]") {
  test::Fuzz fuzz(5);
  for (const images::Preparation& preparation : kMethods)
    for (int i = 0; i < 60; ++i) {
      const std::size_t most = std::size_t{1} << fuzz.from_to(0, 12);
      const Size picture{fuzz.from_to(1, most), fuzz.from_to(1, most)};
      INFO(preparation.method.index() << ": " << picture.width << " x " << picture.height);
      const std::vector<Layout> layouts = steps(preparation, picture);
      REQUIRE(layouts.size() < 2000);
      for (std::size_t step = 1; step < layouts.size(); ++step) CHECK(pixels_of(layouts[step]) < pixels_of(layouts[step - 1]));
    }
}

TEST_CASE("a picture of its own size shrinks as far as its least size", "[images]") {
  const std::vector<Layout> layouts = steps(kMethods[1], {140, 140});
  CHECK(layouts.front().canvas == Size{140, 140});
  CHECK(layouts[1].canvas == Size{112, 112});
  CHECK(layouts.back().canvas == Size{56, 56});
  CHECK(steps(kMethods[1], {5, 5}).size() == 1);  // enlarged already
  CHECK(steps(of(images::Square{224}), {500, 500}).size() == 1);
}

TEST_CASE("pictures that are cut have fewer tiles, and their overview in the end", "[images]") {
  const auto counts = [](const images::Preparation& preparation, Size picture) {
    std::vector<std::size_t> tiles;
    for (const Layout& layout : steps(preparation, picture)) tiles.push_back(layout.tiles().size());
    return tiles;
  };
  CHECK(counts(of(images::LongestEdge{1000, 256}), {300, 300}) == std::vector<std::size_t>{17, 10, 5, 2});
  CHECK(counts(of(images::MostPixels{112, 1, 4}), {400, 300}) == std::vector<std::size_t>{5, 3, 2, 1});
  CHECK(counts(of(images::MostPixels{112, 2, 5}), {400, 400}) == std::vector<std::size_t>{5, 1});
  const std::vector<Layout> layouts = steps(kMethods[4], {1536, 1024});
  CHECK(layouts.front().tiles().size() == 7);
  const auto whole = std::ranges::find_if(layouts, [](const Layout& layout) { return !layout.overview; });
  REQUIRE(whole != layouts.end());
  CHECK(whole->canvas == layouts.front().overview);
  for (auto layout = whole; layout != layouts.end(); ++layout) CHECK(layout->tiles().size() == 1);
  CHECK(layouts.back().canvas.pixels() <= 65536);
}

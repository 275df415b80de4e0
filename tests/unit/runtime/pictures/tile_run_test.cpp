// Tiles to rows, with a projector of every type: the same bits on every target and any number of threads, and errors for the rest.
#include "runtime/pictures/tile_run.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "images/tiles.hpp"
#include "kernels/dispatch.hpp"
#include "runtime/vision_run.hpp"
#include "support/errors.hpp"
#include "support/load.hpp"
#include "unit/runtime/pictures/projector_model.hpp"

using namespace heed;
using namespace heed::test;
using images::Picture;
using images::Rectangle;
using images::Size;

namespace {

images::Picture noisy(images::Size size) {
  Fuzz fuzz(7);
  images::Picture picture{size, std::vector<std::uint8_t>(size.pixels() * 3)};
  for (std::uint8_t& value : picture.rgb) value = static_cast<std::uint8_t>(fuzz.from_to(0, 255));
  return picture;
}

/// The rows of all tiles.
std::vector<float> rows_of(const runtime::Model& model, const images::Picture& picture) {
  runtime::TileRun run(model);
  std::vector<float> all;
  for (const images::Picture& tile : images::tiles_of(run.spec().preparation, picture)) {
    const std::vector<float> rows = run(tile);
    CHECK(rows.size() == run.rows(tile.size) * run.row_width());
    all.insert(all.end(), rows.begin(), rows.end());
  }
  return all;
}

/// Patches do not see each other.
void drop_attention(Tensors& tensors) {
  for (auto& [name, tensor] : tensors)
    if (name.find("attn_out.") != std::string::npos) std::ranges::fill(tensor.values, 0.0f);
}

/// With the pixels inverted in a square around (x, y).
Picture inverted(Picture picture, std::size_t x, std::size_t y, std::size_t reach) {
  for (std::size_t row = y - std::min(y, reach); row < std::min(y + reach + 1, picture.size.height); ++row)
    for (std::size_t column = x - std::min(x, reach); column < std::min(x + reach + 1, picture.size.width); ++column)
      for (std::size_t c = 0; c < 3; ++c) picture.at(column, row)[c] = static_cast<std::uint8_t>(255 - picture.at(column, row)[c]);
  return picture;
}

struct OneTower {
  std::unique_ptr<runtime::Model> model;
  runtime::TileRun run;

  explicit OneTower(const std::string& type) : model(load_projector(projector_model(type, drop_attention))), run(*model) {}

  std::vector<Rectangle> areas(Size picture) const {
    const images::Layout layout = images::layout_of(run.spec().preparation, picture);
    const std::vector<Size> tiles = layout.tiles();
    const std::vector<Rectangle> shown = layout.areas(picture);
    std::vector<Rectangle> all;
    for (std::size_t i = 0; i < tiles.size(); ++i)
      for (const Rectangle& area : run.areas(tiles[i], shown[i], picture)) all.push_back(area);
    return all;
  }

  /// Which rows of the pictures' tiles differ. Only tiles that differ run.
  std::vector<bool> changed(const Picture& one, const Picture& other) {
    const std::vector<Picture> before = images::tiles_of(run.spec().preparation, one);
    const std::vector<Picture> after = images::tiles_of(run.spec().preparation, other);
    std::vector<bool> rows;
    for (std::size_t i = 0; i < before.size(); ++i) {
      const std::size_t count = run.rows(before[i].size), width = run.row_width();
      if (before[i].rgb == after[i].rgb) {
        rows.insert(rows.end(), count, false);
        continue;
      }
      const std::vector<float> a = run(before[i]), b = run(after[i]);
      for (std::size_t row = 0; row < count; ++row) {
        const auto begin = a.begin() + static_cast<std::ptrdiff_t>(row * width);
        rows.push_back(!std::equal(begin, begin + static_cast<std::ptrdiff_t>(width), b.begin() + (begin - a.begin())));
      }
    }
    return rows;
  }

  /// The number of pixels beyond an area that its resizing reads, at most.
  double margin(Size picture) const {
    const images::Preparation& preparation = run.spec().preparation;
    const images::Layout layout = images::layout_of(preparation, picture);
    const double radius = preparation.filter == images::Filter::lanczos ? 3 : 2, resizes = layout.of_canvas ? 3 : 1;
    double scale = 1;
    for (const Size size : {layout.first.value_or(layout.canvas), layout.canvas, layout.overview.value_or(layout.canvas)}) {
      const Size inner = layout.fitted && size == layout.canvas ? images::fitted_size(picture, size) : size;
      scale = std::max({scale, static_cast<double>(picture.width) / static_cast<double>(inner.width),
                        static_cast<double>(picture.height) / static_cast<double>(inner.height)});
    }
    return resizes * radius * scale + 1;
  }
};

bool has_area(const Rectangle& area) { return area.width > 0 && area.height > 0; }

bool overlaps(const Rectangle& area, double x, double y, double reach) {
  return has_area(area) && area.x < x + reach && area.x + area.width > x - reach && area.y < y + reach &&
         area.y + area.height > y - reach;
}

/// The types whose towers read images that are cut, padded, enlarged, shrunk, or as they are.
const Size kSizes[] = {{96, 64}, {41, 90}, {130, 33}, {64, 64}, {7, 5}, {200, 300}};

}  // namespace

TEST_CASE("tiles become the same rows on every target and any number of threads", "[runtime][vision]") {
  const images::Picture picture = noisy({41, 90});
  for (const std::string type : kProjectorTypes) {
    INFO(type);
    const std::vector<std::byte> file = projector_model(type);
    const std::vector<float> rows = rows_of(*load_projector(file), picture);
    REQUIRE(!rows.empty());
    CHECK(std::all_of(rows.begin(), rows.end(), [](float value) { return std::isfinite(value); }));
    for (const kernels::Kernels* target : kernels::available())
      for (const std::size_t threads : {1, 3}) {
        INFO(target->name << ", " << threads << " threads");
        runtime::LoadOptions options;
        options.threads = threads;
        options.target = target->name;
        CHECK(rows_of(*load_projector(file, options), picture) == rows);
      }
  }
}

TEST_CASE("a tile has the same rows after any other", "[runtime][vision]") {
  for (const std::string type : {"lfm2", "qwen2.5vl_merger", "qwen3vl_merger"}) {
    const auto model = load_projector(projector_model(type));
    runtime::TileRun run(*model);
    const images::Picture small = noisy({32, 48}), large = noisy({96, 64});
    const std::vector<float> first = run(small);
    run(large);
    CHECK(run(small) == first);
  }
}

TEST_CASE("bounds of matrices are applied", "[runtime][vision]") {
  const auto loosened = [](Tensors& tensors) {
    for (auto& [name, tensor] : tensors)
      if (name.find("put_m") != std::string::npos) tensor.values[0] *= 1e9f;
  };
  const auto without = [](Tensors& tensors) {
    std::erase_if(tensors, [](const auto& tensor) { return tensor.first.find("put_m") != std::string::npos; });
  };
  const images::Picture picture = noisy({41, 90});
  const std::vector<float> bound = rows_of(*load_projector(projector_model("gemma4v")), picture);
  const std::vector<float> loose = rows_of(*load_projector(projector_model("gemma4v", loosened)), picture);
  CHECK(loose == rows_of(*load_projector(projector_model("gemma4v", without)), picture));
  CHECK(loose != bound);
}

TEST_CASE("old files exchange the matrices of MLPs", "[runtime][vision]") {
  const auto exchange = [](Tensors& tensors) {
    for (std::size_t i = 0; i < 4; ++i)
      for (const std::string part : {".weight", ".bias"}) {
        const std::string layer = "v.blk." + std::to_string(i) + ".";
        if (tensors.contains(layer + "ffn_up" + part))
          std::swap(tensors.at(layer + "ffn_up" + part), tensors.at(layer + "ffn_down" + part));
      }
  };
  const images::Picture picture = noisy({41, 90});
  for (const std::string type : {"idefics3", "gemma3", "mlp"})
    CHECK(rows_of(*load_projector(projector_model(type, exchange)), picture) ==
          rows_of(*load_projector(projector_model(type)), picture));
  check_throws(ErrorCode::invalid_file, "v.blk.0.ffn_up.weight: has shape",
               [&] { load_projector(projector_model("lfm2", exchange)); });
}

TEST_CASE("tiles that a tower does not read are refused", "[runtime][vision]") {
  const auto refuses = [](const std::string& type, images::Size size, const std::string& part) {
    INFO(type);
    const auto model = load_projector(projector_model(type));
    runtime::TileRun run(*model);
    check_throws(ErrorCode::invalid_argument, part, [&] { run.rows(size); });
  };
  refuses("idefics3", {64, 64}, "tile: is 64 x 64 pixels");
  refuses("qwen3vl_merger", {33, 32}, "tile: is 33 x 32 pixels");
  refuses("qwen3vl_merger", {0, 32}, "tile: is 0 x 32 pixels");
  const auto bounded = load_projector(projector_model("gemma4v"));
  runtime::TileRun reading(*bounded);
  CHECK(reading.rows({8 * 66, 16}) == 33);
  check_throws(ErrorCode::invalid_argument, "image: becomes 66 x 2 patches, but this model has positions for at most 64 a side",
               [&] { reading(noisy({8 * 66, 16})); });
  const auto model = load_projector(projector_model("qwen3vl_merger"));
  runtime::TileRun run(*model);
  check_throws(ErrorCode::invalid_argument, "image: has 5 bytes", [&] { run({{32, 32}, std::vector<std::uint8_t>(5)}); });
}

TEST_CASE("a projector is no encoder of images, and an encoder no projector", "[runtime][vision]") {
  const auto projector = load_projector(projector_model("idefics3")), encoder = load_bytes(family_model("vit"));
  CHECK(!projector->info().sees);
  runtime::Workspace workspace(*projector);
  check_throws(ErrorCode::unsupported, "does not accept images", [&] { runtime::VisionRun run(workspace); });
  check_throws(ErrorCode::unsupported, "has no projector", [&] { runtime::TileRun run(*encoder); });
}

TEST_CASE("weights that are not numbers do no harm", "[runtime][vision]") {
  Fuzz fuzz(9);
  for (const std::string type : kProjectorTypes) {
    const auto spoil = [&](Tensors& tensors) {
      for (auto& [name, tensor] : tensors)
        for (float& value : tensor.values)
          if (fuzz.from_to(0, 30) == 0) value = fuzz.hostile();
    };
    rows_of(*load_projector(projector_model(type, spoil)), noisy({41, 90}));
  }
}

TEST_CASE("a row changes with the pixels of its area, and with no others", "[runtime][vision]") {
  for (const std::string type : kProjectorTypes) {
    OneTower towers(type);
    for (const Size size : kSizes) {
      INFO(type << ": " << size.width << " x " << size.height);
      const std::vector<Rectangle> areas = towers.areas(size);
      const Picture picture = noisy(size);
      const double margin = towers.margin(size);
      Fuzz fuzz(size.width);
      for (int i = 0; i < 6; ++i) {
        const std::size_t x = fuzz.from_to(0, size.width - 1), y = fuzz.from_to(0, size.height - 1), reach = 2;
        const std::vector<bool> changed = towers.changed(picture, inverted(picture, x, y, reach));
        REQUIRE(changed.size() == areas.size());
        const double center_x = static_cast<double>(x) + 0.5, center_y = static_cast<double>(y) + 0.5;
        for (std::size_t row = 0; row < areas.size(); ++row) {
          INFO("row " << row << " of " << areas.size() << " at " << areas[row].x << ", " << areas[row].y << ": " << areas[row].width
                      << " x " << areas[row].height << "; pixel " << x << ", " << y);
          if (overlaps(areas[row], center_x, center_y, 0)) CHECK(changed[row]);
          if (!overlaps(areas[row], center_x, center_y, static_cast<double>(reach) + 0.5 + margin)) CHECK_FALSE(changed[row]);
        }
      }
    }
  }
}

TEST_CASE("the areas of each tile lie side by side, and those of the last one cover the picture", "[runtime][vision]") {
  for (const std::string type : kProjectorTypes) {
    OneTower towers(type);
    for (const Size size : kSizes) {
      INFO(type << ": " << size.width << " x " << size.height);
      const images::Layout layout = images::layout_of(towers.run.spec().preparation, size);
      const std::vector<Size> tiles = layout.tiles();
      const std::vector<Rectangle> shown = layout.areas(size);
      double crops = 0, last = 0;
      for (std::size_t i = 0; i < tiles.size(); ++i) {
        last = 0;
        for (const Rectangle& area : towers.run.areas(tiles[i], shown[i], size)) {
          CHECK((area.x >= 0 && area.y >= 0 && area.width >= 0 && area.height >= 0));
          CHECK(area.x + area.width <= static_cast<double>(size.width) + 1e-9);
          CHECK(area.y + area.height <= static_cast<double>(size.height) + 1e-9);
          last += area.width * area.height;
        }
        if (i + 1 < tiles.size()) crops += last;
      }
      const auto pixels = static_cast<double>(size.pixels());
      // The class token takes the place of the first patch of LLaVA's: the picture's beginning, or padding.
      if (type != "mlp") CHECK(std::abs(last - pixels) < 1e-6 * pixels);
      if (tiles.size() > 1) CHECK(std::abs(crops - pixels) < 1e-6 * pixels);
    }
  }
}

TEST_CASE("areas where the sizes are simple", "[runtime][vision]") {
  const OneTower own("qwen3vl_merger");  // reads 96 x 32 as it is, in squares of 16
  const std::vector<Rectangle> grid = own.areas({96, 32});
  REQUIRE(grid.size() == 12);
  for (std::size_t i = 0; i < 12; ++i)
    CHECK(grid[i] == Rectangle{static_cast<double>(i % 6 * 16), static_cast<double>(i / 6 * 16), 16, 16});

  const OneTower square("gemma3");  // 32 x 32, in squares of 16: an image of 64 x 16 has padding above and below
  const std::vector<Rectangle> padded = square.areas({64, 16});
  REQUIRE(padded.size() == 4);
  CHECK(padded[1] == Rectangle{32, 0, 32, 8});
  CHECK(padded[2] == Rectangle{0, 8, 32, 8});

  const OneTower class_last("mlp");  // squares of 8, the first of which is not read; the last row is the class token's
  const std::vector<Rectangle> patches = class_last.areas({32, 8});
  REQUIRE(patches.size() == 16);
  CHECK_FALSE(has_area(patches[0]));  // padding
  CHECK(patches[4] == Rectangle{8, 0, 8, 4});
  CHECK_FALSE(has_area(patches[15]));

  const OneTower lines("pixtral");  // rows that end lines
  const std::vector<Rectangle> rows = lines.areas({96, 48});
  const images::Size own_size = images::layout_of(lines.run.spec().preparation, {96, 48}).canvas;
  const std::size_t columns = own_size.width / 16;
  CHECK_FALSE(has_area(rows[columns]));
  CHECK(has_area(rows[columns + 1]));
  CHECK(rows[columns + 1].x == 0);

  const OneTower tiles("idefics3");  // 64 x 64 in four tiles of 32, and all of it in one
  const std::vector<Rectangle> cut = tiles.areas({64, 64});
  REQUIRE(cut.size() == 20);
  CHECK(cut[4] == Rectangle{32, 0, 16, 16});
  CHECK(cut[15] == Rectangle{48, 48, 16, 16});
  CHECK(cut[16] == Rectangle{0, 0, 32, 32});
}

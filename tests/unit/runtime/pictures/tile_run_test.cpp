// Tiles to rows, with a projector of every type: the same bits on every target and any number of threads, and errors for the rest.
#include "runtime/pictures/tile_run.hpp"

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

// Images on their way into text models, against the oracle of ../shared: tiles byte by byte, rows against a float64 evaluation.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "engine/projector.hpp"
#include "formats/gguf.hpp"
#include "golden/distance.hpp"
#include "images/tiles.hpp"
#include "runtime/pictures/picture_prompt.hpp"
#include "runtime/pictures/tile_run.hpp"
#include "support/crc32.hpp"
#include "support/json.hpp"
#include "support/load.hpp"

using namespace heed;
using nlohmann::json;

namespace {

std::filesystem::path vision_file(const std::string& name) { return test::shared_file("vision/" + name); }

images::Picture picture_of(const std::string& name, const json& size) {
  images::Picture picture{{size["width"], size["height"]}, {}};
  for (const std::byte value : test::read_bytes(vision_file("images/" + name + ".rgb")))
    picture.rgb.push_back(static_cast<std::uint8_t>(value));
  return picture;
}

formats::Metadata header_of(const std::string& name) {
  formats::GgufHeaderReader reader;
  auto header = reader.write(test::read_bytes(vision_file(name)));
  REQUIRE(header);
  return header->metadata;
}

std::string hex(std::uint32_t n) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (int shift = 28; shift >= 0; shift -= 4) text += kDigits[n >> shift & 15];
  return text;
}

void check_case(const std::string& name, const json& images) {
  const json reference = test::read_json(vision_file("ref/" + name + ".json"));
  runtime::LoadOptions options;
  options.threads = 2;
  const auto model = test::load_projector(test::read_bytes(vision_file(reference["mmproj"])), options);
  runtime::TileRun run(*model);
  std::vector<images::Picture> tiles;
  for (const std::string image : reference["images"])
    for (images::Picture& tile : images::tiles_of(run.spec().preparation, picture_of(image, images[image])))
      tiles.push_back(std::move(tile));

  std::size_t next = 0;
  std::vector<float> rows;
  for (const json& chunk : reference["chunks"]) {
    if (chunk["type"] != "image") continue;
    REQUIRE(next < tiles.size());
    const images::Picture& tile = tiles[next++];
    CHECK(tile.size == images::Size{chunk["width"], chunk["height"]});
    CHECK(hex(test::crc32(std::as_bytes(std::span(tile.rgb)))) == chunk["pixels_crc32"].get<std::string>());
    CHECK(run.rows(tile.size) == chunk["n_tokens"].get<std::size_t>());
    const std::vector<float> made = run(tile);
    rows.insert(rows.end(), made.begin(), made.end());
  }
  CHECK(next == tiles.size());
  const std::vector<float> exact = test::read_floats(vision_file("ref/" + name + ".embd.f32"));
  const std::string type = reference["mmproj_type"];
  const double of_llama = reference["figures"]["llama_embd_rel"];
  CHECK(golden::relative_distance(rows, exact) <= (type == "F32" ? 1e-5 : std::max(1e-3, 1.2 * of_llama)));
}

/// The last logits of the prompt.
void check_logits(const std::string& name, const json& images) {
  const json reference = test::read_json(vision_file("ref/" + name + ".json"));
  runtime::LoadOptions options;
  options.threads = 2;
  options.kv_cache = KvType::f32;
  engine::Engine engine(test::load_bytes(test::read_bytes(vision_file(reference["model"])), options));
  engine::Projector projector(engine, test::load_projector(test::read_bytes(vision_file(reference["mmproj"])), options));
  std::vector<images::Picture> pictures;
  for (const std::string image : reference["images"]) pictures.push_back(picture_of(image, images[image]));
  const std::string prompt = reference["prompt"];
  const runtime::PictureText text = projector.read(runtime::split_at_marks(prompt, pictures));

  const std::vector<float> exact = test::read_floats(vision_file("ref/" + name + ".logits.f32"));
  const std::size_t wanted = exact.size() / engine.model().info().vocabulary;
  runtime::PlacedTiles tiles;
  tiles.read(text.tokens, 0, engine.pictures());
  const bool whole = nn::reads_whole_tiles(engine.model().spec().decoder->stack);
  engine::DecoderRun run = engine.read();
  std::vector<float> logits;
  for (std::size_t at = 0, count = 0; at < text.tokens.size(); at += count) {
    count = std::min(runtime::kMaxBatch, text.tokens.size() - at);
    if (whole) count = tiles.whole(at, count);
    const std::size_t rows = at + count - std::clamp(text.tokens.size() - wanted, at, at + count);
    const auto some = run.forward(std::span(text.tokens).subspan(at, count), rows);
    REQUIRE(some);
    logits.insert(logits.end(), some->begin(), some->end());
  }
  const std::string type = reference["mmproj_type"];
  const double of_llama = reference["figures"]["llama_logits_rel"];
  CHECK(golden::relative_distance(logits, exact) <= (type == "F32" ? 1e-4 : std::max(2e-3, 2 * of_llama)));
}

/// Calls check(name, images) for the cases whose images have files of plain bytes; the others are PNG files.
template <class Check>
void for_each_raw_case(Check check) {
  const json index = test::read_json(vision_file("index.json"));
  std::size_t checked = 0;
  for (const auto& [name, figures] : index["cases"].items()) {
    const auto raw = [&](const json& image) { return index["images"][image.get<std::string>()]["raw"].get<bool>(); };
    if (!std::all_of(figures["images"].begin(), figures["images"].end(), raw)) continue;
    INFO(name);
    check(name, index["images"]);
    ++checked;
  }
  CHECK(checked >= 20);
}

}  // namespace

TEST_CASE("prompts with images become the reference's tokens and positions", "[golden][vision][shared]") {
  const json index = test::read_json(vision_file("index.json"));
  for (const auto& [name, figures] : index["cases"].items()) {
    INFO(name);
    const json reference = test::read_json(vision_file("ref/" + name + ".json"));
    const auto vision = test::load_projector(test::read_bytes(vision_file(reference["mmproj"])));
    runtime::TileRun run(*vision);
    const auto tokenizer = tokenizer::make_tokenizer(header_of(reference["model"]));
    std::vector<images::Picture> pictures;
    for (const std::string image : reference["images"])
      pictures.push_back({{index["images"][image]["width"], index["images"][image]["height"]}, {}});
    const bool axes = reference["mrope"];
    const std::string prompt = reference["prompt"];
    const auto chunks = runtime::read_prompt(runtime::split_at_marks(prompt, pictures), *tokenizer, run);
    REQUIRE(chunks.size() == reference["chunks"].size());
    std::size_t position = 0;
    for (std::size_t i = 0; i < chunks.size(); ++i) {
      const json& expected = reference["chunks"][i];
      const runtime::PromptChunk& chunk = chunks[i];
      REQUIRE(chunk.is_tile() == (expected["type"] == "image"));
      if (!chunk.is_tile()) CHECK(chunk.tokens == expected["tokens"].get<std::vector<tokenizer::TokenId>>());
      else CHECK(chunk.grid.rows == expected["n_tokens"].get<std::size_t>());
      for (std::size_t row = 0; axes && row < chunk.grid.rows; ++row)
        for (std::size_t axis = 0; axis < 3; ++axis)
          CHECK(chunk.grid.coordinates(row, position).values[axis] == expected["positions"][row * 4 + axis].get<std::size_t>());
      position += chunk.positions(axes);
    }
    CHECK(position == reference["n_past"].get<std::size_t>());
  }
}

TEST_CASE("tiles of images have the reference's bytes, and rows its values", "[golden][vision][shared]") {
  for_each_raw_case([](const std::string& name, const json& images) { check_case(name, images); });
}

TEST_CASE("text models read images to the reference's logits", "[golden][vision][shared]") {
  for_each_raw_case([](const std::string& name, const json& images) { check_logits(name, images); });
}

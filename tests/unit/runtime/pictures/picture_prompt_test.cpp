// Prompts with images: the markers around tiles, and the places of their rows.
#include "runtime/pictures/picture_prompt.hpp"

#include <catch2/catch_test_macros.hpp>

#include "support/errors.hpp"
#include "support/load.hpp"
#include "support/tiny_model.hpp"
#include "unit/runtime/pictures/projector_model.hpp"

using namespace heed;
using namespace heed::test;

namespace {

using Chunks = std::vector<runtime::PromptChunk>;

struct Reading {
  std::unique_ptr<runtime::Model> vision, text = load_bytes(tiny_llama());
  mutable runtime::TileRun run;

  explicit Reading(const std::string& type) : vision(load_projector(projector_model(type))), run(*vision) {}

  Chunks operator()(const std::string& prompt, const std::vector<images::Size>& pictures) const {
    std::vector<images::Picture> without_pixels;
    for (const images::Size size : pictures) without_pixels.push_back({size, {}});
    return runtime::read_prompt(runtime::split_at_marks(prompt, without_pixels), text->tokenizer(), run);
  }
  std::vector<tokenizer::TokenId> tokens(const std::string& part) const {
    return text->tokenizer().encode(part, {.add_special = false, .parse_special = true});
  }
};

}  // namespace

TEST_CASE("each text and each marker is tokenized by itself", "[runtime][vision]") {
  const Reading read("gemma3");
  const Chunks chunks = read("a <image> b", {{40, 30}});
  REQUIRE(chunks.size() == 3);
  std::vector<tokenizer::TokenId> before, after;
  if (const auto bos = read.text->tokenizer().bos(); bos && read.text->tokenizer().encode("a").front() == *bos)
    before.push_back(*bos);
  for (const std::string part : {"a ", "<start_of_image>"})
    for (const auto token : read.tokens(part)) before.push_back(token);
  for (const std::string part : {"<end_of_image>", " b"})
    for (const auto token : read.tokens(part)) after.push_back(token);
  CHECK(chunks[0].tokens == before);
  CHECK(chunks[2].tokens == after);
  CHECK(chunks[1].is_tile());
  CHECK(chunks[1].tile == images::Size{32, 32});
  CHECK(chunks[1].grid.rows == 4);
  CHECK(chunks[1].positions(false) == 4);
}

TEST_CASE("tiles without markers follow one another", "[runtime][vision]") {
  const Reading read("internvl");
  const Chunks chunks = read("<image><image>", {{64, 32}, {10, 10}});
  std::size_t tiles = 0;
  for (const runtime::PromptChunk& chunk : chunks) tiles += chunk.is_tile() ? 1 : 0;
  CHECK(tiles == 4);  // two and an overview, then one
  CHECK((chunks[1].is_tile() && chunks[2].is_tile() && chunks[3].is_tile() && !chunks[4].is_tile()));
}

TEST_CASE("rows on several axes take as many positions as the longer side", "[runtime][vision]") {
  const Reading read("qwen3vl_merger");
  const Chunks chunks = read("<image>", {{96, 32}});
  const runtime::PromptChunk& tile = chunks[1];
  REQUIRE(tile.is_tile());
  CHECK((tile.grid.columns == 6 && tile.grid.lines == 2 && tile.grid.rows == 12));
  CHECK(tile.positions(true) == 6);
  CHECK(tile.positions(false) == 12);
  for (std::size_t i = 0; i < 12; ++i) {
    const nn::Coordinates at = tile.grid.coordinates(i, 100);
    CHECK(at[nn::Axis::time] == 100);
    CHECK(at[nn::Axis::row] == 100 + i / 6);
    CHECK(at[nn::Axis::column] == 100 + i % 6);
  }
}

TEST_CASE("each mark has its picture, and each picture a size", "[runtime][vision]") {
  const Reading read("gemma3");
  check_throws(ErrorCode::invalid_argument, "prompt: has 1 marks <image> for 2 images", [&] { read("<image>", {{1, 1}, {2, 2}}); });
  check_throws(ErrorCode::invalid_argument, "prompt: has 3 marks", [&] { read("<image><image> a <image>", {{1, 1}}); });
  check_throws(ErrorCode::invalid_argument, "image: 0 x 7 pixels", [&] { read("<image>", {{0, 7}}); });
  check_throws(ErrorCode::invalid_argument, "image: 100000 x 7 pixels", [&] { read("<image>", {{100000, 7}}); });
  CHECK(read("plain text", {}).size() == 1);
}

TEST_CASE("a vocabulary without the tokens between tiles is refused", "[runtime][vision]") {
  const Reading read("idefics3");
  check_throws(ErrorCode::unsupported, "tokenizer.ggml.tokens: lacks a token of", [&] { read("<image>", {{64, 64}}); });
}

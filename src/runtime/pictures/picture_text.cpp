#include "runtime/pictures/picture_text.hpp"

#include <string>
#include <utility>

#include "base/error.hpp"
#include "images/tiles.hpp"
#include "nn/decoder.hpp"

namespace heed::runtime {

void check_reads(const Model& model, const TileRun& run) {
  if (!model.decoder()) throw Error(ErrorCode::unsupported, "has no decoder to read images", model.info().architecture);
  const nn::StackSpec& stack = model.decoder()->spec().stack;
  if (const std::size_t wanted = (1 + stack.deep_rows) * stack.width; run.row_width() != wanted)
    throw Error(ErrorCode::invalid_file,
                "makes rows of " + std::to_string(run.row_width()) + " numbers, but the model reads " + std::to_string(wanted),
                "clip.vision.projection_dim");
}

PictureText read_text(std::span<const PromptPiece> prompt, const tokenizer::Tokenizer& tokenizer, TileRun& run, Pictures& known,
                      bool add_special) {
  const std::vector<PromptChunk> chunks = read_prompt(prompt, tokenizer, run, add_special);
  std::vector<images::Picture> tiles;  // in the order of the chunks
  for (const PromptPiece& piece : prompt)
    if (piece.picture)
      for (images::Picture& tile : images::tiles_of(run.spec().preparation, *piece.picture)) tiles.push_back(std::move(tile));
  PictureText text;
  for (auto next = tiles.begin(); const PromptChunk& chunk : chunks) {
    text.tokens.insert(text.tokens.end(), chunk.tokens.begin(), chunk.tokens.end());
    if (!chunk.is_tile()) continue;
    images::Picture& tile = *next++;
    std::shared_ptr<const TileRows> rows = known.find(tile);
    if (!rows) {
      std::vector<float> values = run(tile);
      rows = known.add({.tile = std::move(tile), .grid = chunk.grid, .width = run.row_width(), .values = std::move(values)});
    }
    for (std::size_t i = 0; i < rows->grid.rows; ++i) text.tokens.push_back(rows->first + static_cast<tokenizer::TokenId>(i));
    text.tiles.push_back(std::move(rows));
  }
  return text;
}

}  // namespace heed::runtime

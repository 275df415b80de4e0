#include "runtime/pictures/picture_text.hpp"

#include <utility>

#include "images/tiles.hpp"

namespace heed::runtime {

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

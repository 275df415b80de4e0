#include "runtime/pictures/picture_text.hpp"

#include <string>
#include <utility>

#include "base/error.hpp"
#include "nn/decoder.hpp"

namespace heed::runtime {

void check_reads(const Model& model, const TileRun& run) {
  if (!model.decoder()) throw Error(ErrorCode::unsupported, "has no decoder to read images", model.info().architecture);
  if (model.encoder()) throw Error(ErrorCode::unsupported, "has an encoder, which reads no images", model.info().architecture);
  const nn::StackSpec& stack = model.decoder()->spec().stack;
  if (const std::size_t wanted = (1 + stack.deep_rows) * stack.width; run.row_width() != wanted)
    throw Error(ErrorCode::invalid_file,
                "makes rows of " + std::to_string(run.row_width()) + " numbers, but the model reads " + std::to_string(wanted),
                "clip.vision.projection_dim");
}

PictureTextReader::PictureTextReader(std::span<const PromptPiece> prompt, const tokenizer::Tokenizer& tokenizer, TileRun& run,
                                     Pictures& known, bool add_special)
    : run_(run), known_(known), chunks_(read_prompt(prompt, tokenizer, run, add_special)) {
  for (const PromptPiece& piece : prompt)
    if (piece.picture) pictures_.push_back({piece.picture, layout_within(piece.picture->size, piece.most_tokens, tokenizer, run)});
}

void PictureTextReader::prepare() {
  const auto& [picture, layout] = pictures_[picture_];
  if (!maker_) maker_ = std::make_unique<images::TileMaker>(run_.spec().preparation, layout, *picture);
  if (!maker_->done()) return maker_->step();
  for (images::Picture& tile : maker_->take()) tiles_.push_back(std::move(tile));
  maker_ = nullptr;
  ++picture_;
}

std::vector<tokenizer::TokenId> plan_text(std::span<const PromptPiece> prompt, const tokenizer::Tokenizer& tokenizer,
                                          const TileRun& run, bool add_special) {
  std::vector<tokenizer::TokenId> ids;
  for (const PromptChunk& chunk : read_prompt(prompt, tokenizer, run, add_special)) {
    ids.insert(ids.end(), chunk.tokens.begin(), chunk.tokens.end());
    if (chunk.is_tile()) ids.insert(ids.end(), chunk.grid.rows, -1);
  }
  return ids;
}

void PictureTextReader::step() {
  if (!prepared()) return prepare();
  for (bool has_run = false; !done() && !has_run; ++chunk_) {
    const PromptChunk& chunk = chunks_[chunk_];
    text_.tokens.insert(text_.tokens.end(), chunk.tokens.begin(), chunk.tokens.end());
    if (!chunk.is_tile()) continue;
    images::Picture& tile = tiles_[tile_++];
    std::shared_ptr<const TileRows> rows = known_.find(tile);
    if (!rows) {
      std::vector<float> values = run_(tile);
      rows = known_.add({.tile = std::move(tile), .grid = chunk.grid, .width = run_.row_width(), .values = std::move(values)});
      has_run = true;
    }
    for (std::size_t i = 0; i < rows->grid.rows; ++i) text_.tokens.push_back(rows->first + static_cast<tokenizer::TokenId>(i));
    text_.tiles.push_back(std::move(rows));
  }
}

PictureText read_text(std::span<const PromptPiece> prompt, const tokenizer::Tokenizer& tokenizer, TileRun& run, Pictures& known,
                      bool add_special) {
  PictureTextReader reader(prompt, tokenizer, run, known, add_special);
  while (!reader.done()) reader.step();
  return reader.text();
}

}  // namespace heed::runtime

#include "runtime/pictures/picture_text.hpp"

#include <string>
#include <utility>

#include "base/error.hpp"
#include "nn/decoder.hpp"

namespace heed::runtime {

void check_reads(const Model& model, const Towers& towers) {
  if (!model.decoder()) throw Error(ErrorCode::unsupported, "has no decoder to read images or sounds", model.info().architecture);
  if (model.encoder())
    throw Error(ErrorCode::unsupported, "has an encoder, which reads no images or sounds", model.info().architecture);
  const nn::StackSpec& stack = model.decoder()->spec().stack;
  const auto check = [](std::size_t width, std::size_t wanted, const char* key) {
    if (width != wanted)
      throw Error(ErrorCode::invalid_file,
                  "makes rows of " + std::to_string(width) + " numbers, but the model reads " + std::to_string(wanted), key);
  };
  if (towers.sees) check(towers.sees->row_width(), (1 + stack.deep_rows) * stack.width, "clip.vision.projection_dim");
  if (towers.hears) check(towers.hears->row_width(), stack.width, "clip.audio.projection_dim");
}

PictureTextReader::PictureTextReader(std::span<const PromptPiece> prompt, const tokenizer::Tokenizer& tokenizer,
                                     const Towers& towers, Pictures& known, bool add_special)
    : towers_(towers), known_(known), chunks_(read_prompt(prompt, tokenizer, towers, add_special)) {
  for (const PromptPiece& piece : prompt)
    if (piece.picture)
      pictures_.push_back({piece.picture, layout_within(piece.picture->size, piece.most_tokens, tokenizer, towers.seeing())});
}

void PictureTextReader::prepare() {
  const auto& [picture, layout] = pictures_[picture_];
  if (!maker_) maker_ = std::make_unique<images::TileMaker>(towers_.seeing().spec().preparation, layout, *picture);
  if (!maker_->done()) return maker_->step();
  for (images::Picture& tile : maker_->take()) tiles_.push_back(std::move(tile));
  maker_ = nullptr;
  ++picture_;
}

std::vector<tokenizer::TokenId> plan_text(std::span<const PromptPiece> prompt, const tokenizer::Tokenizer& tokenizer,
                                          const Towers& towers, bool add_special) {
  std::vector<tokenizer::TokenId> ids;
  for (const PromptChunk& chunk : read_prompt(prompt, tokenizer, towers, add_special)) {
    ids.insert(ids.end(), chunk.tokens.begin(), chunk.tokens.end());
    if (chunk.has_rows()) ids.insert(ids.end(), chunk.grid.rows, -1);
  }
  return ids;
}

/// The rows of a part. The features of a whole sound are computed with its first part, and kept for the others.
std::vector<float> PictureTextReader::hear(const SoundPart& part) {
  if (heard_ != part.sound) {
    features_.reset();
    features_ = towers_.hearing().features(*part.sound);
    heard_ = part.sound;
  }
  return towers_.hearing()(*features_, part.index);
}

void PictureTextReader::step() {
  if (!prepared()) return prepare();
  for (bool has_run = false; !done() && !has_run; ++chunk_) {
    const PromptChunk& chunk = chunks_[chunk_];
    text_.tokens.insert(text_.tokens.end(), chunk.tokens.begin(), chunk.tokens.end());
    if (!chunk.has_rows()) continue;
    std::shared_ptr<const TileRows> rows = chunk.is_tile() ? known_.find(tiles_[tile_]) : known_.find(chunk.part);
    if (!rows) {
      std::vector<float> values = chunk.is_tile() ? towers_.seeing()(tiles_[tile_]) : hear(chunk.part);
      TileRows made{.part = chunk.part, .grid = chunk.grid, .width = values.size() / chunk.grid.rows, .values = std::move(values)};
      if (chunk.is_tile()) made.tile = std::move(tiles_[tile_]);
      rows = known_.add(std::move(made));
      has_run = true;
    }
    if (chunk.is_tile()) ++tile_;
    for (std::size_t i = 0; i < rows->grid.rows; ++i) text_.tokens.push_back(rows->first + static_cast<tokenizer::TokenId>(i));
    text_.tiles.push_back(std::move(rows));
  }
  if (done()) features_.reset();
}

PictureText read_text(std::span<const PromptPiece> prompt, const tokenizer::Tokenizer& tokenizer, const Towers& towers,
                      Pictures& known, bool add_special) {
  PictureTextReader reader(prompt, tokenizer, towers, known, add_special);
  while (!reader.done()) reader.step();
  return reader.text();
}

}  // namespace heed::runtime

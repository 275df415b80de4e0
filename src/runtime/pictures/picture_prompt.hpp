// A prompt with pictures, as a text model reads it: tokens, and rows that vision towers make of tiles, in turn.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "images/layout.hpp"
#include "runtime/pictures/row_grid.hpp"
#include "runtime/pictures/tile_run.hpp"
#include "tokenizer/tokenizer.hpp"

namespace heed::runtime {

/// Text, and the picture that comes after it; nullptr if none does.
struct PromptPiece {
  std::vector<tokenizer::PromptPart> text = {};
  const images::Picture* picture = nullptr;
  std::size_t most_tokens = 0;  // that the picture becomes, those around it included; 0: as many as by the model's own bounds
};

/// Stands for the next picture in a prompt of one text, in which control tokens are recognized.
inline constexpr std::string_view kPictureMark = "<image>";

/// The pieces of such a prompt. Throws invalid_argument for another number of marks than of pictures.
std::vector<PromptPiece> split_at_marks(std::string_view prompt, std::span<const images::Picture> pictures);

/// Tokens, or else a tile.
struct PromptChunk {
  std::vector<tokenizer::TokenId> tokens = {};
  images::Size tile = {};  // in pixels
  RowGrid grid = {};       // that the tile becomes

  bool is_tile() const noexcept { return tokens.empty(); }
  /// Positions that it takes; axes: as in RowGrid.
  std::size_t positions(bool axes) const noexcept { return is_tile() ? grid.positions(axes) : tokens.size(); }
};

/// How a picture is laid out within a bound on its tokens (PromptPiece): with the most pixels that it allows (images::coarser). Throws
/// invalid_argument for a bound below what the picture becomes at least, and as read_prompt() does.
images::Layout layout_within(images::Size picture, std::size_t most_tokens, const tokenizer::Tokenizer& tokenizer,
                             const TileRun& run);

/// The tokens of such a layout, with those around it.
std::size_t count_tokens(const images::Layout& layout, const tokenizer::Tokenizer& tokenizer, const TileRun& run);

/// Plans how a prompt is read; of pictures it needs only the sizes. If `add_special`, the tokens that the vocabulary specifies around a
/// text are added. Throws invalid_argument for a picture that the tower does not read, or not within its bound, and unsupported if the vocabulary lacks a token
/// that a tile needs.
std::vector<PromptChunk> read_prompt(std::span<const PromptPiece> prompt, const tokenizer::Tokenizer& tokenizer, const TileRun& run,
                                     bool add_special = true);

}  // namespace heed::runtime

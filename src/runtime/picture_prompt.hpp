// A prompt with pictures, as a text model reads it: tokens, and rows that vision towers make of tiles, in turn.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "images/picture.hpp"
#include "nn/pass.hpp"
#include "runtime/tile_run.hpp"
#include "tokenizer/tokenizer.hpp"

namespace heed::runtime {

/// Stands for the next picture in a prompt.
inline constexpr std::string_view kPictureMark = "<image>";

/// Tokens, or else a tile.
struct PromptChunk {
  std::vector<tokenizer::TokenId> tokens = {};
  images::Size tile = {};              // in pixels
  std::size_t rows = 0;                // that the tile becomes
  std::size_t columns = 0, lines = 0;  // of these, as a grid; the rows that end lines do not count

  bool is_tile() const noexcept { return tokens.empty(); }
  /// Positions that it takes. `axes`: the text model positions pictures on several axes (arXiv:2409.12191).
  std::size_t positions(bool axes) const noexcept;
  /// Where row i of a tile is, if it begins at `position`.
  nn::Coordinates coordinates(std::size_t i, std::size_t position) const noexcept {
    return {{position, position + i / columns, position + i % columns}};
  }
};

/// `prompt` with control tokens and marks of pictures, of which there must be as many as `pictures`. The tokens that the vocabulary
/// specifies around a text are added. Throws invalid_argument for another number of marks and for a picture that the tower does not
/// read, and unsupported if the vocabulary lacks a token that a tile needs.
std::vector<PromptChunk> read_prompt(std::string_view prompt, std::span<const images::Size> pictures,
                                     const tokenizer::Tokenizer& tokenizer, const TileRun& run);

}  // namespace heed::runtime

// Rows as towers make them, without towers.
#pragma once

#include <utility>
#include <vector>

#include "runtime/workspace.hpp"
#include "support/fuzz.hpp"

namespace heed::test {

using HeldTile = std::shared_ptr<const runtime::TileRows>;

/// A tile of columns x lines rows with random values, and pixels of this shade.
inline HeldTile some_tile(runtime::Workspace& workspace, std::size_t columns, std::size_t lines, std::uint8_t shade = 0) {
  const nn::StackSpec& stack = workspace.model().spec().decoder->stack;
  const std::size_t rows = columns * lines, width = (1 + stack.deep_rows) * stack.width;
  Fuzz fuzz(1000 * columns + 10 * lines + shade);
  return workspace.pictures().add({.tile = {{1, 1}, {shade, shade, shade}},
                                   .grid = {.rows = rows, .columns = columns, .lines = lines},
                                   .width = width,
                                   .values = fuzz.reals(rows * width)});
}

inline void append(std::vector<runtime::TokenId>& text, const runtime::TileRows& tile) {
  for (std::size_t i = 0; i < tile.grid.rows; ++i) text.push_back(tile.first + static_cast<runtime::TokenId>(i));
}

/// `tokens` with the tiles' rows in these places.
inline std::vector<runtime::TokenId> with_tiles(std::vector<runtime::TokenId> tokens,
                                                const std::vector<std::pair<std::size_t, HeldTile>>& tiles) {
  std::vector<runtime::TokenId> text;
  std::size_t next = 0;
  for (const auto& [place, tile] : tiles) {
    for (; next < place; ++next) text.push_back(tokens[next]);
    append(text, *tile);
  }
  text.insert(text.end(), tokens.begin() + static_cast<std::ptrdiff_t>(next), tokens.end());
  return text;
}

}  // namespace heed::test

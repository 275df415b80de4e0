// The tiles of pictures in one text, which holds them as long as it has their rows; and what a pass over it has to know of them.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "runtime/pictures/pictures.hpp"

namespace heed::runtime {

/// Of each token of a pass.
struct PassPictures {
  std::vector<const float*> rows;  // what stands in the token's place; nullptr for tokens
  std::vector<nn::Coordinates> coordinates;
  std::vector<nn::PositionRange> tiles;  // that it belongs to; empty for tokens

  void resize(std::size_t tokens) {
    rows.resize(tokens);
    coordinates.resize(tokens);
    tiles.resize(tokens);
  }
};

class PlacedTiles {
 public:
  struct Place {
    std::size_t begin;  // position of its first row
    std::shared_ptr<const TileRows> tile;

    std::size_t end() const noexcept { return begin + tile->grid.rows; }
  };

  bool empty() const noexcept { return places_.empty(); }
  /// Forgets those from position `length` on.
  void cut(std::size_t length) noexcept;
  /// Adds those whose rows are among `ids`, the tokens from `position` on; forgets others there. Throws invalid_argument, and changes
  /// nothing, for rows that belong to no tile of `pictures`, and for a tile of which the text skips rows.
  void read(std::span<const tokenizer::TokenId> ids, std::size_t position, const Pictures& pictures);

  /// The tile with a row at `position`; nullptr if there is none.
  const Place* at(std::size_t position) const noexcept;
  /// The tile with rows on both sides of `position`.
  const Place* across(std::size_t position) const noexcept;

  /// How many of the `count` tokens from `position` on a pass reads if it must have tiles as a whole: those before a tile that it would cut,
  /// or that tile alone, of which there may be more than `count`.
  std::size_t whole(std::size_t position, std::size_t count) const noexcept;

  /// Fills `pass`, from `row` on, for the `count` tokens from `position` on.
  void describe(std::size_t position, std::size_t count, std::size_t row, PassPictures& pass) const noexcept;

 private:
  std::vector<Place> places_;  // in order
};

}  // namespace heed::runtime

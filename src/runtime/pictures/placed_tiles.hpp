// The tiles in one text, kept alive as long as the text has their rows; and the data about them that a pass needs.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "runtime/pictures/pictures.hpp"

namespace heed::runtime {

/// For each token of a pass:
struct PassPictures {
  std::vector<const float*> rows;  // the row in the token's place; nullptr for ordinary tokens
  std::vector<nn::Coordinates> coordinates;
  std::vector<nn::PositionRange> tiles;  // the range of its tile; empty for ordinary tokens

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
  /// Drops the tiles that begin at position `length` or later.
  void cut(std::size_t length) noexcept;
  /// Replaces the tiles from `position` on by the tiles that have rows among `ids`. Throws invalid_argument, changing nothing, for
  /// a row that belongs to no tile in `pictures`, and for a tile with missing rows.
  void read(std::span<const tokenizer::TokenId> ids, std::size_t position, const Pictures& pictures);

  /// The tile with a row at `position`; nullptr if there is none.
  const Place* at(std::size_t position) const noexcept;
  /// The tile that has rows both before and after `position`.
  const Place* across(std::size_t position) const noexcept;

  /// As across(), but only a tile whose rows attend to each other; nullptr for a sound's.
  const Place* split_at(std::size_t position) const noexcept;

  /// In a pass that must not split tiles: how many of the `count` tokens from `position` on to run. These are the tokens before a
  /// tile that does not fit or, if that tile comes first, the whole tile, even if it has more than `count` rows.
  std::size_t whole(std::size_t position, std::size_t count) const noexcept;

  /// Fills `pass`, from `row` on, with the data of the `count` tokens from `position` on.
  void describe(std::size_t position, std::size_t count, std::size_t row, PassPictures& pass) const noexcept;

 private:
  std::vector<Place> places_;  // by position
};

}  // namespace heed::runtime

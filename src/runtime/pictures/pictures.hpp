// The pictures in texts. Each row that a vision tower makes of a tile is a token of its own: with an id below 0, which no other row has
// while anything holds the tile. So whatever compares texts by their tokens, such as the prefix cache, tells pictures apart.
#pragma once

#include <memory>
#include <vector>

#include "images/picture.hpp"
#include "runtime/pictures/row_grid.hpp"
#include "tokenizer/tokenizer.hpp"

namespace heed::runtime {

struct TileRows {
  images::Picture tile;  // what they were made of
  RowGrid grid = {};
  std::size_t width = 0;         // of a row, with the parts for the text model's first layers
  std::vector<float> values;     // rows x width
  tokenizer::TokenId first = 0;  // the id of the first row; the others follow

  const float* row(std::size_t i) const noexcept { return values.data() + i * width; }
};

/// Those of the texts of one model. It holds none of them.
class Pictures {
 public:
  /// Gives the rows their ids. Throws out_of_memory if no ids are left, after two billion rows.
  std::shared_ptr<const TileRows> add(TileRows rows);

  /// The tile with these pixels, or with the row of this id; nullptr if there is none or nothing holds it any more.
  std::shared_ptr<const TileRows> find(const images::Picture& tile) const;
  std::shared_ptr<const TileRows> find(tokenizer::TokenId id) const;

 private:
  std::vector<std::weak_ptr<const TileRows>> tiles_;
  std::size_t used_ = 0;  // ids
};

}  // namespace heed::runtime

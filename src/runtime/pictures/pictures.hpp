// Images and sounds in texts. Each row that a tower computes for a tile, or for a part of a sound, gets a token id of its own,
// below 0, which stays unique as long as anything holds the tile. So comparing the tokens of two texts, as the prefix cache does,
// also compares their images and sounds.
#pragma once

#include <memory>
#include <vector>

#include "images/picture.hpp"
#include "runtime/hearing/heard_sound.hpp"
#include "runtime/pictures/row_grid.hpp"
#include "tokenizer/tokenizer.hpp"

namespace heed::runtime {

struct TileRows {
  images::Picture tile = {};  // the pixels of a tile
  SoundPart part = {};        // or a part of a sound
  RowGrid grid = {};
  std::size_t width = 0;         // floats in a row, including the parts for the text model's first layers
  std::vector<float> values;     // rows x width
  tokenizer::TokenId first = 0;  // the id of the first row; the others are consecutive

  const float* row(std::size_t i) const noexcept { return values.data() + i * width; }
};

/// The registry of the tiles in one model's texts. Does not keep them alive.
class Pictures {
 public:
  /// Assigns ids to the rows. Throws out_of_memory if no ids are left, after two billion rows.
  std::shared_ptr<const TileRows> add(TileRows rows);

  /// The tile with these pixels, the part of a sound with these samples, or the tile or part that has a row with this id; nullptr
  /// if there is none, or if nothing holds it any more.
  std::shared_ptr<const TileRows> find(const images::Picture& tile) const;
  std::shared_ptr<const TileRows> find(const SoundPart& part) const;
  std::shared_ptr<const TileRows> find(tokenizer::TokenId id) const;

 private:
  std::vector<std::weak_ptr<const TileRows>> tiles_;
  std::size_t used_ = 0;  // ids assigned so far
};

}  // namespace heed::runtime

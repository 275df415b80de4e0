// Makes the tiles of an image, which a vision tower reads.
#pragma once

#include "images/layout.hpp"

namespace heed::images {

/// Makes the tiles of an image in bounded steps (Resizing). Not movable: steps refer to results of earlier ones.
class TileMaker {
 public:
  /// The image must stay alive until the end. Throws invalid_argument if the bytes do not match the size and, as step() does,
  /// std::bad_alloc.
  TileMaker(const Preparation& preparation, Layout layout, const Picture& picture);
  TileMaker(const TileMaker&) = delete;
  TileMaker& operator=(const TileMaker&) = delete;

  bool done() const noexcept { return stage_ == Stage::none; }
  void step();
  /// After the last step: the tiles in the layout's order.
  std::vector<Picture> take() { return std::move(tiles_); }

 private:
  /// The current stage; each uses the result of the previous one.
  enum class Stage { first, canvas, overview, none };

  void begin(Stage stage);
  void finish(Picture made);

  const Preparation& preparation_;
  Layout layout_;
  const Picture& picture_;
  Picture first_, canvas_;
  std::vector<Picture> tiles_;
  Stage stage_ = Stage::none;
  std::optional<Resizing> resizing_;
};

/// The tiles of layout_of(preparation, picture.size), in its order. Throws as layout_of() does, invalid_argument if the bytes do
/// not match the size, and std::bad_alloc.
std::vector<Picture> tiles_of(const Preparation& preparation, const Picture& picture);

/// The tiles of a given layout.
std::vector<Picture> tiles_of(const Preparation& preparation, const Layout& layout, const Picture& picture);

/// (value / 255 - mean) / deviation of each channel: planes of red, green and blue, 3 x height x width.
std::vector<float> normalize(const Preparation& preparation, const Picture& tile);

}  // namespace heed::images

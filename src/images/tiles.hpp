// From an image to the tiles that a vision tower reads.
#pragma once

#include "images/layout.hpp"

namespace heed::images {

/// The tiles of an image being made, in steps of bounded work (Resizing). It does not move: a step reads what an earlier one has
/// made.
class TileMaker {
 public:
  /// The image must stay until the end. Throws invalid_argument for bytes that do not match the size and, as step() does,
  /// std::bad_alloc.
  TileMaker(const Preparation& preparation, Layout layout, const Picture& picture);
  TileMaker(const TileMaker&) = delete;
  TileMaker& operator=(const TileMaker&) = delete;

  bool done() const noexcept { return stage_ == Stage::none; }
  void step();
  /// At the end, the tiles in the layout's order.
  std::vector<Picture> take() { return std::move(tiles_); }

 private:
  /// What is being made, each of what the one before has made.
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

/// The tiles of layout_of(preparation, picture.size), in its order. Throws what that throws, invalid_argument for bytes that do not match
/// the size, and std::bad_alloc.
std::vector<Picture> tiles_of(const Preparation& preparation, const Picture& picture);

/// Those of a layout of the image under other bounds.
std::vector<Picture> tiles_of(const Preparation& preparation, const Layout& layout, const Picture& picture);

/// (value / 255 - mean) / deviation of each channel: planes of red, green and blue, 3 x height x width.
std::vector<float> normalize(const Preparation& preparation, const Picture& tile);

}  // namespace heed::images

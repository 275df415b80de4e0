// How a family of vision models makes tiles of an image, as data. What the families have in common with their processors in
// transformers is the result, which llama.cpp's libmtmd computes in the same way.
#pragma once

#include <variant>

#include "images/resize.hpp"

namespace heed::images {

/// One tile of side x side, which the whole image fits into.
struct Square {
  std::size_t side = 0;
};

/// One tile of about the picture's own size and shape: sides are multiples of `unit`, and the number of pixels is within bounds, or a
/// little beyond (arXiv:2409.12191).
struct OwnSize {
  std::size_t unit = 0, least = 0, most = 0;
};

/// The longer side becomes `edge`, then both the next multiples of `tile`; that is cut into tiles, and shrunk to one more
/// (arXiv:2408.12637).
struct LongestEdge {
  std::size_t edge = 0, tile = 0;
};

/// Of all grids of `least` to `most` tiles the one in which the image keeps most of its pixels, and one more tile of the whole
/// image; a small image is one tile (arXiv:2404.16821), as any is if `most` is 0.
struct MostPixels {
  std::size_t tile = 0, least = 1, most = 1;
};

/// An image that is much larger than `overview` allows is cut into a grid of tiles whose shape is nearest to its own, and has the
/// overview as one more tile (arXiv:2511.23404); if `most` is 0, none is cut.
struct NearestShape {
  OwnSize overview = {};
  std::size_t tile = 0, least = 1, most = 1;
};

/// One tile of side x side, as models that read images by themselves were trained: cut from the middle of the image, which keeps
/// its shape, or stretched. Its colors are not rounded to bytes on the way (whole.hpp).
struct Whole {
  std::size_t side = 0;
  bool cropped = false;
};

struct Preparation {
  std::variant<Square, OwnSize, LongestEdge, MostPixels, NearestShape, Whole> method = {};
  Filter filter = Filter::bicubic;
  bool fitted = true;                            // the single tile of OwnSize: keeps the shape; otherwise stretched
  std::uint8_t padding[3] = {};                  // the color around an image that keeps its shape
  float mean[3] = {}, deviation[3] = {1, 1, 1};  // that normalize red, green and blue, which are from 0 to 1
};

}  // namespace heed::images

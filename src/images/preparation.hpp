// The preparation of images by a family of vision models, as data: how images become tiles. The results equal those of the
// families' processors in transformers and of llama.cpp's libmtmd.
#pragma once

#include <variant>

#include "images/resize.hpp"

namespace heed::images {

/// One tile of side x side, with the whole image fitted into it.
struct Square {
  std::size_t side = 0;
};

/// One tile of about the image's own size and aspect ratio: sides are multiples of `unit`, and the number of pixels is within the
/// bounds, or slightly above (arXiv:2409.12191).
struct OwnSize {
  std::size_t unit = 0, least = 0, most = 0;
};

/// Scales the longer side to `edge`, then both sides up to multiples of `tile`; cuts the result into tiles, and adds it once more,
/// shrunk to one tile (arXiv:2408.12637).
struct LongestEdge {
  std::size_t edge = 0, tile = 0;
};

/// Chooses, among all grids of `least` to `most` tiles, the one in which the image keeps the most pixels, and adds one tile with
/// the whole image. A small image is one tile (arXiv:2404.16821), as is any image if `most` is 0.
struct MostPixels {
  std::size_t tile = 0, least = 1, most = 1;
};

/// Cuts an image that is much larger than `overview` into a grid of tiles with the nearest aspect ratio, and adds the overview as
/// one more tile (arXiv:2511.23404); if `most` is 0, no image is cut.
struct NearestShape {
  OwnSize overview = {};
  std::size_t tile = 0, least = 1, most = 1;
};

/// One tile of side x side, for models that embed or classify images: the center of the image, or all of it, stretched. Colors are
/// not rounded to bytes on the way (whole.hpp).
struct Whole {
  std::size_t side = 0;
  bool cropped = false;
};

struct Preparation {
  std::variant<Square, OwnSize, LongestEdge, MostPixels, NearestShape, Whole> method = {};
  Filter filter = Filter::bicubic;
  bool fitted = true;                            // the single tile of OwnSize: keeps the aspect ratio; otherwise stretched
  std::uint8_t padding[3] = {};                  // the color around an image that keeps its aspect ratio
  float mean[3] = {}, deviation[3] = {1, 1, 1};  // normalize red, green and blue, which range from 0 to 1
};

}  // namespace heed::images

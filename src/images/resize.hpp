// Resizing of 8-bit images with the bits of Pillow (its Resample.c), for which processors of vision-language models were written.
#pragma once

#include <utility>
#include <vector>

#include "images/picture.hpp"

namespace heed::images {

enum class Filter : std::uint8_t {
  bilinear,
  bicubic,  // Keys, IEEE Trans. ASSP 29, 1981, with a = -1/2
  lanczos,  // Duchon, J. Appl. Meteorology 18, 1979, with three lobes
};

/// The weight of a sample at a distance.
double weight_of(Filter filter, double distance);

/// The distance from which on weights are zero.
double support_of(Filter filter);

/// The samples of one axis that contribute to one sample of the result.
struct Taps {
  std::size_t first = 0;
  std::vector<std::int32_t> weights = {};  // in units of 2^-22
};

/// Stretches an image to a size: first each row, rounded to bytes, then each column. Filters are widened when they shrink an image.
/// A large image takes seconds, so the work is done in bounded steps.
class Resizing {
 public:
  /// Both sizes must be within the limits of check_size. The image must stay alive until the end. Throws std::bad_alloc, as step()
  /// does.
  Resizing(const Picture& picture, Size to, Filter filter);

  bool done() const noexcept { return pass_ == Pass::none; }
  /// Resizes some more rows: about 2^23 products.
  void step();
  /// After the last step: the resized image.
  Picture take() { return std::move(out_); }

 private:
  enum class Pass { rows, columns, none };

  void begin(Pass pass);
  const Picture& from() const noexcept { return wide_.rgb.empty() ? *picture_ : wide_; }

  const Picture* picture_;
  Size to_;
  Filter filter_;
  Pass pass_ = Pass::none;
  std::vector<Taps> taps_;
  Picture wide_;  // the result of the first pass
  Picture out_;
  std::size_t row_ = 0;  // the next row of out_
};

/// Resizes an image in one call.
Picture resize(const Picture& picture, Size to, Filter filter);

}  // namespace heed::images

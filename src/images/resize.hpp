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

/// What a sample at a distance counts.
double weight_of(Filter filter, double distance);

/// Samples at this distance and beyond count nothing.
double support_of(Filter filter);

/// The samples of one axis that make up one sample of the result.
struct Taps {
  std::size_t first = 0;
  std::vector<std::int32_t> weights = {};  // in units of 2^-22
};

/// An image that is being stretched to a size: first each row, rounded to bytes, then each column. Filters are widened to shrink. A
/// large image takes seconds, so it is done in steps of bounded work.
class Resizing {
 public:
  /// Both sizes must be within the limits of check_size. The image must stay until the end. Throws std::bad_alloc, as step() does.
  Resizing(const Picture& picture, Size to, Filter filter);

  bool done() const noexcept { return pass_ == Pass::none; }
  /// Some rows more: about 2^23 products.
  void step();
  /// At the end, the image in its new size.
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
  Picture wide_;  // what the first pass has made
  Picture out_;
  std::size_t row_ = 0;  // of out_, the next one
};

/// The same at once.
Picture resize(const Picture& picture, Size to, Filter filter);

}  // namespace heed::images

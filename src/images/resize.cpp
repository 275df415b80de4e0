#include "images/resize.hpp"

#include <algorithm>
#include <cmath>

#include "base/deterministic_math.hpp"

namespace heed::images {
namespace {

constexpr int kWeightBits = 22;
constexpr double kHalfTurn = 3.14159265358979323846;

double sinc(double x) { return x == 0 ? 1 : deterministic_sine_cosine(kHalfTurn * x).sine / (kHalfTurn * x); }

std::vector<Taps> taps_of(Filter filter, std::size_t from, std::size_t to) {
  const double step = static_cast<double>(from) / static_cast<double>(to), widened = std::max(step, 1.0);
  const double reach = support_of(filter) * widened;
  std::vector<Taps> taps(to);
  std::vector<double> weights;
  for (std::size_t k = 0; k < to; ++k) {
    const double center = (static_cast<double>(k) + 0.5) * step;
    const auto first = static_cast<std::size_t>(std::floor(std::max(0.0, center - reach + 0.5)));
    const auto end = std::min(from, static_cast<std::size_t>(std::floor(center + reach + 0.5)));
    weights.clear();
    double sum = 0;
    for (std::size_t i = first; i < end; ++i) {
      weights.push_back(weight_of(filter, (static_cast<double>(i) - center + 0.5) / widened));
      sum += weights.back();
    }
    taps[k].first = first;
    for (const double weight : weights) {
      const double scaled = weight / sum * (1 << kWeightBits);
      taps[k].weights.push_back(static_cast<std::int32_t>(scaled + (scaled < 0 ? -0.5 : 0.5)));
    }
  }
  return taps;
}

/// One channel of one pixel; `samples` are `stride` bytes apart. Sums fit in 32 bits: weights add up to 2^22, and the positive ones
/// to less than twice that.
std::uint8_t blend(const Taps& taps, const std::uint8_t* samples, std::size_t stride) {
  std::uint32_t sum = std::uint32_t{1} << (kWeightBits - 1);
  samples += taps.first * stride;
  for (const std::int32_t weight : taps.weights) {
    sum += static_cast<std::uint32_t>(weight) * *samples;
    samples += stride;
  }
  return static_cast<std::uint8_t>(std::clamp(static_cast<std::int32_t>(sum) >> kWeightBits, 0, 255));
}

}  // namespace

double weight_of(Filter filter, double x) {
  const double distance = std::abs(x);
  switch (filter) {
    case Filter::bilinear: return std::max(0.0, 1 - distance);
    case Filter::bicubic:
      if (distance < 1) return (1.5 * distance - 2.5) * distance * distance + 1;
      return distance < 2 ? -0.5 * (((distance - 5) * distance + 8) * distance - 4) : 0;
    case Filter::lanczos: return x >= -3 && x < 3 ? sinc(x) * sinc(x / 3) : 0;
  }
  return 0;
}

double support_of(Filter filter) { return filter == Filter::bilinear ? 1 : filter == Filter::bicubic ? 2 : 3; }

Resizing::Resizing(const Picture& picture, Size to, Filter filter) : picture_(&picture), to_(to), filter_(filter) {
  if (to.width != picture.size.width) begin(Pass::rows);
  else if (to.height != picture.size.height) begin(Pass::columns);
  else out_ = picture;
}

void Resizing::begin(Pass pass) {
  const bool across = pass == Pass::rows;
  taps_ = across ? taps_of(filter_, from().size.width, to_.width) : taps_of(filter_, from().size.height, to_.height);
  const Size size{to_.width, across ? from().size.height : to_.height};
  out_ = {size, std::vector<std::uint8_t>(size.pixels() * 3)};
  row_ = 0;
  pass_ = pass;
}

void Resizing::step() {
  constexpr std::size_t kWork = std::size_t{1} << 23;
  const bool across = pass_ == Pass::rows;
  const std::size_t stride = across ? 3 : to_.width * 3;
  for (std::size_t work = 0; work < kWork && row_ < out_.size.height; ++row_) {
    const std::uint8_t* samples = from().at(0, across ? row_ : 0);
    std::uint8_t* out = out_.at(0, row_);
    for (std::size_t i = 0; i < to_.width * 3; ++i) {
      const Taps& taps = taps_[across ? i / 3 : row_];
      out[i] = blend(taps, samples + (across ? i % 3 : i), stride);
      work += taps.weights.size();
    }
  }
  if (row_ < out_.size.height) return;
  if (across && to_.height != out_.size.height) {
    wide_ = std::move(out_);
    begin(Pass::columns);
  } else {
    pass_ = Pass::none;
    wide_ = {};
  }
}

Picture resize(const Picture& picture, Size to, Filter filter) {
  Resizing resizing(picture, to, filter);
  while (!resizing.done()) resizing.step();
  return resizing.take();
}

}  // namespace heed::images

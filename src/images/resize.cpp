#include "images/resize.hpp"

#include <algorithm>
#include <cmath>

#include "base/deterministic_math.hpp"

namespace heed::images {
namespace {

constexpr int kWeightBits = 22;
constexpr double kHalfTurn = 3.14159265358979323846;

double sinc(double x) { return x == 0 ? 1 : deterministic_sine_cosine(kHalfTurn * x).sine / (kHalfTurn * x); }

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

/// The samples of one axis that make up one sample of the result.
struct Taps {
  std::size_t first = 0;
  std::vector<std::int32_t> weights = {};  // in units of 2^-22
};

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

/// One channel of one pixel; `samples` are `stride` bytes apart.
std::uint8_t blend(const Taps& taps, const std::uint8_t* samples, std::size_t stride) {
  std::int64_t sum = 1 << (kWeightBits - 1);
  samples += taps.first * stride;
  for (const std::int32_t weight : taps.weights) {
    sum += std::int64_t{weight} * *samples;
    samples += stride;
  }
  return static_cast<std::uint8_t>(std::clamp<std::int64_t>(sum >> kWeightBits, 0, 255));
}

Picture resize_rows(const Picture& picture, std::size_t width, Filter filter) {
  const std::vector<Taps> taps = taps_of(filter, picture.size.width, width);
  Picture out{{width, picture.size.height}, std::vector<std::uint8_t>(width * picture.size.height * 3)};
  for (std::size_t y = 0; y < out.size.height; ++y)
    for (std::size_t x = 0; x < width; ++x)
      for (std::size_t c = 0; c < 3; ++c) out.at(x, y)[c] = blend(taps[x], picture.at(0, y) + c, 3);
  return out;
}

Picture resize_columns(const Picture& picture, std::size_t height, Filter filter) {
  const std::vector<Taps> taps = taps_of(filter, picture.size.height, height);
  const std::size_t stride = picture.size.width * 3;
  Picture out{{picture.size.width, height}, std::vector<std::uint8_t>(stride * height)};
  for (std::size_t y = 0; y < height; ++y)
    for (std::size_t i = 0; i < stride; ++i) out.rgb[y * stride + i] = blend(taps[y], picture.rgb.data() + i, stride);
  return out;
}

}  // namespace

Picture resize(const Picture& picture, Size to, Filter filter) {
  if (to == picture.size) return picture;
  if (to.width == picture.size.width) return resize_columns(picture, to.height, filter);
  const Picture wide = resize_rows(picture, to.width, filter);
  return to.height == wide.size.height ? wide : resize_columns(wide, to.height, filter);
}

}  // namespace heed::images

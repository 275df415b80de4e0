#include "images/whole.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace heed::images {
namespace {

/// Weights in double precision, for pixels from `first` on.
struct ExactTaps {
  std::size_t first = 0;
  std::vector<double> weights = {};
  double sum = 0;  // sum of the weights
};

/// For a row or column of `length` pixels that is resampled to `scaled`: the taps of the `size` samples in the middle.
std::vector<ExactTaps> exact_taps(Filter filter, std::size_t length, std::size_t scaled, std::size_t size) {
  const double step = static_cast<double>(length) / static_cast<double>(scaled), widened = std::max(step, 1.0);
  const double reach = support_of(filter) * widened, last = static_cast<double>(length);
  const std::size_t cut = (scaled - size) / 2;
  std::vector<ExactTaps> taps(size);
  for (std::size_t i = 0; i < size; ++i) {
    const double center = (static_cast<double>(cut + i) + 0.5) * step;
    const auto from = static_cast<std::size_t>(std::clamp(std::floor(center - reach + 0.5), 0.0, last - 1));
    const auto to = static_cast<std::size_t>(std::clamp(std::floor(center + reach + 0.5), 1.0, last));
    taps[i].first = from;
    for (std::size_t j = from; j < std::max(to, from + 1); ++j) {
      const double weight = weight_of(filter, (static_cast<double>(j) + 0.5 - center) / widened);
      taps[i].weights.push_back(weight);
      taps[i].sum += weight;
    }
  }
  return taps;
}

/// pixel(i) is pixel i of a row or column.
template <class Pixel>
double exact_blend(const ExactTaps& taps, Pixel pixel) {
  double sum = 0;
  for (std::size_t i = 0; i < taps.weights.size(); ++i) sum += taps.weights[i] * pixel(taps.first + i);
  return taps.sum != 0 ? sum / taps.sum : pixel(taps.first);
}

/// The length of a side after scaling, before the center is cut out.
std::size_t scaled_side(const Whole& rule, std::size_t length, std::size_t shortest) {
  if (!rule.cropped) return rule.side;
  const double ratio = static_cast<double>(length) / static_cast<double>(shortest);
  return std::max(rule.side, static_cast<std::size_t>(ratio * static_cast<double>(rule.side)));
}

}  // namespace

std::vector<float> normalized_whole(const Preparation& preparation, const Picture& picture) {
  check(picture);
  const Whole& rule = std::get<Whole>(preparation.method);
  const auto [width, height] = picture.size;
  const std::size_t side = rule.side, shortest = std::min(width, height);
  const auto across = exact_taps(preparation.filter, width, scaled_side(rule, width, shortest), side);
  const auto down = exact_taps(preparation.filter, height, scaled_side(rule, height, shortest), side);
  std::vector<float> planes(3 * side * side), lines(height * side);
  for (std::size_t channel = 0; channel < 3; ++channel) {
    for (std::size_t y = 0; y < height; ++y)
      for (std::size_t x = 0; x < side; ++x)
        lines[y * side + x] = static_cast<float>(exact_blend(across[x],
                                                             [&](std::size_t i) { return picture.at(i, y)[channel] / 255.0; }));
    const double mean{preparation.mean[channel]}, deviation{preparation.deviation[channel]};
    for (std::size_t y = 0; y < side; ++y)
      for (std::size_t x = 0; x < side; ++x) {
        const double color = exact_blend(down[y], [&](std::size_t i) { return double{lines[i * side + x]}; });
        planes[(channel * side + y) * side + x] = static_cast<float>((std::clamp(color, 0.0, 1.0) - mean) / deviation);
      }
  }
  return planes;
}

}  // namespace heed::images

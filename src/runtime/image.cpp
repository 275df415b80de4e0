#include "runtime/image.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>

#include "base/error.hpp"
#include "images/picture.hpp"

namespace heed::runtime {
namespace {

using Kernel = double (*)(double distance);

double linear(double x) { return std::max(0.0, 1.0 - std::abs(x)); }

double cubic(double x) {
  constexpr double a = -0.5;
  x = std::abs(x);
  if (x < 1) return ((a + 2) * x - (a + 3)) * x * x + 1;
  if (x < 2) return (((x - 5) * x + 8) * x - 4) * a;
  return 0;
}

/// Resamples a row or column to `scaled` pixels, of which it computes [first, first + size).
struct Resampling {
  Kernel kernel;
  double support;  // of the kernel, to each side
  std::size_t scaled, first, size;

  struct Sample {
    std::size_t first;  // of the pixels that it is made of
    std::vector<double> weights;
    double sum = 0;  // of these
  };

  std::vector<Sample> operator()(std::size_t length) const {
    const double step = static_cast<double>(length) / static_cast<double>(scaled), widened = std::max(step, 1.0);
    std::vector<Sample> samples;
    for (std::size_t i = 0; i < size; ++i) {
      const double center = (static_cast<double>(first + i) + 0.5) * step;
      const double reach = support * widened, last = static_cast<double>(length);
      const auto from = static_cast<std::size_t>(std::clamp(std::floor(center - reach + 0.5), 0.0, last - 1));
      const auto to = static_cast<std::size_t>(std::clamp(std::floor(center + reach + 0.5), 1.0, last));
      Sample& sample = samples.emplace_back(Sample{from, {}});
      for (std::size_t j = from; j < std::max(to, from + 1); ++j) {
        const double weight = kernel((static_cast<double>(j) + 0.5 - center) / widened);
        sample.weights.push_back(weight);
        sample.sum += weight;
      }
    }
    return samples;
  }
};

using Samples = std::vector<Resampling::Sample>;

/// get(i) returns pixel i of a row or column; calls put(i, value) for each sample.
template <class Get, class Put>
void resample(const Samples& samples, Get get, Put put) {
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const auto& [first, weights, total] = samples[i];
    double sum = 0;
    for (std::size_t j = 0; j < weights.size(); ++j) sum += weights[j] * get(first + j);
    put(i, total != 0 ? sum / total : get(first));
  }
}

/// From a row or column of `length` pixels to `size`, in an image whose shorter side is `shortest`.
Resampling resampling(std::size_t length, std::size_t shortest, std::size_t size, bool crop) {
  if (!crop) return {linear, 1, size, 0, size};
  const double ratio = static_cast<double>(length) / static_cast<double>(shortest);
  const auto scaled = std::max(size, static_cast<std::size_t>(ratio * static_cast<double>(size)));
  return {cubic, 2, scaled, (scaled - size) / 2, size};
}

}  // namespace

std::vector<float> prepare(const Image& image, const nn::PatchSpec& spec) {
  constexpr std::size_t kMost = std::size_t{1} << 15;  // pixels per side, far more than any model uses
  if (image.width == 0 || image.height == 0 || image.width > kMost || image.height > kMost)
    throw Error(ErrorCode::invalid_argument,
                std::to_string(image.width) + " x " + std::to_string(image.height) + " pixels; sides must be from 1 to " +
                    std::to_string(kMost),
                "image");
  if (image.rgba.size() != std::uint64_t{image.width} * image.height * 4)  // which 32 bits may not hold
    throw Error(ErrorCode::invalid_argument,
                "has " + std::to_string(image.rgba.size()) + " bytes, but must have 4 for each of " + std::to_string(image.width) +
                    " x " + std::to_string(image.height) + " pixels",
                "image");

  const std::size_t size = spec.image, shortest = std::min(image.width, image.height);
  const Samples across = resampling(image.width, shortest, size, spec.crop)(image.width);
  const Samples down = resampling(image.height, shortest, size, spec.crop)(image.height);
  std::vector<float> pixels(3 * size * size), lines(image.height * size);
  for (std::size_t channel = 0; channel < 3; ++channel) {
    for (std::size_t y = 0; y < image.height; ++y)
      resample(
          across,
          [&](std::size_t x) {
            const std::uint8_t* pixel = image.rgba.data() + (y * image.width + x) * 4;
            return images::on_white(pixel[channel], pixel[3]) / 255.0;
          },
          [&](std::size_t x, double value) { lines[y * size + x] = static_cast<float>(value); });
    for (std::size_t x = 0; x < size; ++x)
      resample(
          down, [&](std::size_t y) { return double{lines[y * size + x]}; },
          [&](std::size_t y, double value) {
            const double color = std::clamp(value, 0.0, 1.0);
            pixels[(channel * size + y) * size + x] = static_cast<float>((color - double{spec.mean[channel]}) /
                                                                         double{spec.deviation[channel]});
          });
  }
  return pixels;
}

}  // namespace heed::runtime

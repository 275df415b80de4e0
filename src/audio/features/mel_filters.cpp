#include "audio/features/mel_filters.hpp"

#include <algorithm>

#include "base/deterministic_math.hpp"

namespace heed::audio {
namespace {

// Slaney's scale is linear below the corner: bands per Hz there, and the corner's frequency in Hz.
constexpr double kPerHertz = 3.0 / 200, kCorner = 1000;
const double kStep = deterministic_log(6.4) / 27;  // above the corner: logarithm of the frequency ratio of adjacent bands

double pitch_of(MelScale scale, double frequency) {
  if (scale == MelScale::htk) return 2595 * deterministic_log(1 + frequency / 700) / deterministic_log(10.0);
  if (frequency < kCorner) return frequency * kPerHertz;
  return kCorner * kPerHertz + deterministic_log(frequency / kCorner) / kStep;
}

double frequency_of(MelScale scale, double pitch) {
  if (scale == MelScale::htk) return 700 * (deterministic_exp(pitch / 2595 * deterministic_log(10.0)) - 1);
  const double corner = kCorner * kPerHertz;
  return pitch < corner ? pitch / kPerHertz : kCorner * deterministic_exp((pitch - corner) * kStep);
}

}  // namespace

std::vector<float> mel_filters(MelScale scale, std::size_t bands, std::size_t transform) {
  const std::size_t bins = transform / 2 + 1;
  const double rate = static_cast<double>(kRate), highest = pitch_of(scale, rate / 2);
  const auto corner = [&](std::size_t i) {
    return frequency_of(scale, highest * static_cast<double>(i) / static_cast<double>(bands + 1));
  };
  std::vector<float> filters(bands * bins);
  for (std::size_t b = 0; b < bands; ++b) {
    const double low = corner(b), middle = corner(b + 1), high = corner(b + 2);
    const double factor = scale == MelScale::slaney ? 2 / (high - low) : 1.0;
    for (std::size_t k = 0; k < bins; ++k) {
      const double frequency = static_cast<double>(k) * rate / static_cast<double>(transform);
      const double height = std::min((frequency - low) / (middle - low), (high - frequency) / (high - middle));
      filters[b * bins + k] = static_cast<float>(std::max(height, 0.0) * factor);
    }
  }
  return filters;
}

}  // namespace heed::audio

// Converts sounds to another rate with a windowed sinc (Smith, "Digital Audio Resampling", 2002). The same bits on every target.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace heed {
class ThreadPool;
}

namespace heed::audio {

// Rates that can be converted, in Hz.
inline constexpr std::size_t kLeastRate = 1000, kMostRate = 400000;

/// Throws invalid_argument for a rate outside the bounds.
void check_rate(std::size_t rate);

/// round(samples to / from). Throws as check_rate() does.
std::size_t resampled(std::size_t samples, std::size_t from, std::size_t to);

/// The samples at another rate, resampled() in number, without a delay. Frequencies above half of the lower rate become at least 90
/// dB quieter; frequencies below 0.45 times the lower rate are kept. Throws as check_rate() does; std::bad_alloc.
std::vector<float> resample(std::span<const float> samples, std::size_t from, std::size_t to, ThreadPool& pool);

}  // namespace heed::audio

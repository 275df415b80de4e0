// The spectrum of a frame is computed in double: the sound's quiet parts are 80 dB below its loud ones, and all of that counts.
#include "audio/mel.hpp"

#include <algorithm>
#include <array>

#include "audio/filter_bank.hpp"
#include "audio/fourier.hpp"
#include "base/deterministic_math.hpp"
#include "base/thread_pool.hpp"

namespace heed::audio {
namespace {

constexpr std::size_t kHalf = kWindow / 2;
constexpr double kLeast = 1e-10;   // least power of a band: anything below counts as silence
constexpr double kRange = 8;       // decades below the loudest value that count
constexpr std::size_t kChunk = 8;  // frames per piece of a thread's work

/// Sample `at` of a sound with its first samples mirrored in front, and zeros elsewhere.
double mirrored(std::span<const float> samples, std::ptrdiff_t at) noexcept {
  const auto i = static_cast<std::size_t>(at < 0 ? -at : at);
  return i < samples.size() ? static_cast<double>(samples[i]) : 0.0;
}

}  // namespace

MelSpectrogram::MelSpectrogram(const MelSpec& spec, std::span<const float> samples, ThreadPool& pool)
    : bands_(spec.bands),
      frames_((samples.size() + kPadding) / kHop),
      sound_frames_(samples.size() < kHalf ? (samples.size() + kHop > kHalf ? 1 : 0) : 1 + (samples.size() - kHalf) / kHop) {
  const std::size_t reached = std::min((samples.size() + kHalf) / kHop + 1, frames_);
  values_.resize(reached * bands_);
  const Fourier fourier(kWindow);
  const FilterBank filters(spec.filters, bands_, kBins);
  std::array<double, kWindow> window;
  for (std::size_t i = 0; i < kWindow; ++i) window[i] = 0.5 * (1.0 - fourier.turn(i).cosine);
  const double decade = 1.0 / deterministic_log(10.0);

  pool.parallel_for(reached, kChunk, [&](std::size_t begin, std::size_t end, std::size_t) noexcept {
    const auto sample = [&](std::size_t frame, std::size_t i) {
      const auto start = static_cast<std::ptrdiff_t>(frame * kHop) - static_cast<std::ptrdiff_t>(kHalf);
      return window[i] * mirrored(samples, start + static_cast<std::ptrdiff_t>(i));
    };
    for_each_spectrum<kWindow>(fourier, begin, end, 0, kWindow, sample, [&](std::size_t frame, std::span<const double> power) {
      for (std::size_t b = 0; b < bands_; ++b)
        values_[frame * bands_ + b] = static_cast<float>(deterministic_log(std::max(filters.sum(b, power.data()), kLeast)) *
                                                         decade);
    });
  });

  // The loudest value is at least that of silence, because the padding is silent.
  const double silence = deterministic_log(kLeast) * decade;
  double loudest = silence;
  for (const float value : values_) loudest = std::max(loudest, static_cast<double>(value));
  const auto scaled = [floor = loudest - kRange](double value) { return static_cast<float>((std::max(value, floor) + 4.0) / 4.0); };
  silence_ = scaled(silence);
  for (float& value : values_) value = scaled(static_cast<double>(value));
}

void MelSpectrogram::copy(std::size_t first, std::size_t count, float* out) const noexcept {
  const std::size_t stored = values_.size() / bands_;
  for (std::size_t f = first; f < first + count; ++f, out += bands_)
    if (f < stored) std::copy_n(values_.data() + f * bands_, bands_, out);
    else std::fill_n(out, bands_, f < frames_ ? silence_ : 0.0f);
}

}  // namespace heed::audio

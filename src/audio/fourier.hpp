// The discrete Fourier transform of lengths whose prime factors are 2, 3 and 5 (Cooley and Tukey, Math. Comp. 19, 1965).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "base/deterministic_math.hpp"

namespace heed::audio {

/// The values of two sequences that are transformed at once, with half the instructions, and the same bits as for each alone.
typedef double Pair __attribute__((vector_size(16)));

struct Complex {
  Pair real{}, imaginary{};
};

class Fourier {
 public:
  explicit Fourier(std::size_t size);

  std::size_t size() const noexcept { return turns_.size(); }
  /// Sine and cosine of 2 pi i / size, for i below size.
  const SineCosine& turn(std::size_t i) const noexcept { return turns_[i]; }

  /// For each of the two sequences: out[k] = the sum over i of in[i] e^(-2 pi j i k / size). `in` and `out` must not overlap.
  void operator()(const Complex* in, Complex* out) const noexcept {
    if (size() == 1) *out = *in;
    else transform(in, 1, size(), out);
  }

 private:
  void transform(const Complex* in, std::size_t stride, std::size_t size, Complex* out) const noexcept;

  std::vector<SineCosine> turns_;
};

/// Computes the spectra of the frames [begin, end), two in each transform. Value first + i of a frame is sample(frame, i), for i
/// below `count`; its other values are zeros. Calls use(frame, power) with the squares of the first size / 2 + 1 magnitudes, which
/// it may overwrite. kMost: the largest size of the transform.
template <std::size_t kMost, class Sample, class Use>
void for_each_spectrum(const Fourier& fourier, std::size_t begin, std::size_t end, std::size_t first, std::size_t count,
                       const Sample& sample, const Use& use) noexcept {
  std::array<Complex, kMost> values{}, spectrum;
  std::array<double, kMost / 2 + 1> power;
  const std::size_t bins = fourier.size() / 2 + 1;
  for (std::size_t f = begin; f < end; f += 2) {
    const std::size_t frames[] = {f, std::min(f + 1, end - 1)};  // if the number of frames is odd, the last frame twice
    for (std::size_t side = 0; side < 2; ++side)
      for (std::size_t i = 0; i < count; ++i) values[first + i].real[side] = sample(frames[side], i);
    fourier(values.data(), spectrum.data());
    for (std::size_t side = 0; side < 2; ++side) {
      for (std::size_t k = 0; k < bins; ++k) {
        const double real = spectrum[k].real[side], imaginary = spectrum[k].imaginary[side];
        power[k] = real * real + imaginary * imaginary;
      }
      use(frames[side], std::span(power).first(bins));
    }
  }
}

}  // namespace heed::audio

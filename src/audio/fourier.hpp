// The discrete Fourier transform of lengths whose prime factors are 2, 3 and 5 (Cooley and Tukey, Math. Comp. 19, 1965).
#pragma once

#include <cstddef>
#include <vector>

#include "base/deterministic_math.hpp"

namespace heed::audio {

/// The values of two sequences that are transformed at once: half the instructions, and the bits of each alone.
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

}  // namespace heed::audio

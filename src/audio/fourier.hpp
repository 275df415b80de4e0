// The discrete Fourier transform of lengths whose prime factors are 2, 3 and 5 (Cooley and Tukey, Math. Comp. 19, 1965).
#pragma once

#include <cstddef>
#include <vector>

#include "base/deterministic_math.hpp"

namespace heed::audio {

struct Complex {
  double real = 0, imaginary = 0;
};

class Fourier {
 public:
  explicit Fourier(std::size_t size);

  std::size_t size() const noexcept { return turns_.size(); }
  /// Sine and cosine of 2 pi i / size, for i below size.
  const SineCosine& turn(std::size_t i) const noexcept { return turns_[i]; }

  /// out[k] = the sum over i of in[i] e^(-2 pi j i k / size). The two must not overlap.
  void operator()(const Complex* in, Complex* out) const noexcept { transform(in, 1, size(), out); }

 private:
  void transform(const Complex* in, std::size_t stride, std::size_t size, Complex* out) const noexcept;

  std::vector<SineCosine> turns_;
};

}  // namespace heed::audio

#include "audio/fourier.hpp"

namespace heed::audio {
namespace {

constexpr double kHalfTurn = 0x1.921fb54442d18p+1;
constexpr std::size_t kMostRadix = 5;

/// x times e^(-j turn)
Complex turned(const Complex& x, const SineCosine& turn) noexcept {
  return {x.real * turn.cosine + x.imaginary * turn.sine, x.imaginary * turn.cosine - x.real * turn.sine};
}

}  // namespace

Fourier::Fourier(std::size_t size) {
  turns_.reserve(size);
  for (std::size_t i = 0; i < size; ++i)
    turns_.push_back(deterministic_sine_cosine(2 * kHalfTurn * static_cast<double>(i) / static_cast<double>(size)));
}

/// Transforms the `radix` sequences of every radix-th value, and joins them.
void Fourier::transform(const Complex* in, std::size_t stride, std::size_t size, Complex* out) const noexcept {
  const std::size_t radix = size % 5 == 0 ? 5 : size % 3 == 0 ? 3 : size % 4 == 0 ? 4 : 2;
  const std::size_t part = size / radix, step = turns_.size() / size, share = turns_.size() / radix;
  for (std::size_t r = 0; r < radix; ++r) {
    if (part == 1) out[r] = in[r * stride];
    else transform(in + r * stride, stride * radix, part, out + r * part);
  }
  for (std::size_t k = 0; k < part; ++k) {
    Complex terms[kMostRadix];
    for (std::size_t r = 0; r < radix; ++r) terms[r] = turned(out[r * part + k], turns_[r * k * step]);
    for (std::size_t q = 0; q < radix; ++q) {
      Complex sum = terms[0];
      std::size_t turn = 0;  // r * q * share modulo whole turns, without a division, which would take longer
      for (std::size_t r = 1; r < radix; ++r) {
        turn += q * share;
        if (turn >= turns_.size()) turn -= turns_.size();
        const Complex term = turned(terms[r], turns_[turn]);
        sum.real += term.real;
        sum.imaginary += term.imaginary;
      }
      out[q * part + k] = sum;
    }
  }
}

}  // namespace heed::audio

// Rotary position embedding (arXiv:2104.09864): the angles. The rotation is a kernel.
#pragma once

#include <vector>

#include "nn/pass.hpp"
#include "nn/weights.hpp"

namespace heed::nn {

class Rope {
 public:
  /// Its angles are in pass.angles[slot]. Takes rope_freqs.weight if the spec allows it and the file has it: one divisor per
  /// frequency, which is how files store Llama 3's scaling. With RopeScaling::longrope, takes rope_factors_long and
  /// rope_factors_short instead, and divides by the long factors at all positions if the context length is above the original one.
  Rope(const RopeSpec& spec, std::size_t slot, std::size_t context_length, Weights& weights);

  const RopeSpec& spec() const noexcept { return spec_; }
  static ScratchNeed need(const RopeSpec& spec, const PassLimits& limits) noexcept;

  /// Takes scratch for the angles of the pass and fills it. The divisors must be loaded.
  void fill_angles(Pass& pass) const noexcept;

  /// Rotates `heads` heads of `head_dim` in place, for token t of the pass.
  void operator()(float* x, std::size_t heads, std::size_t head_dim, std::size_t t, Pass& pass) const noexcept {
    const Angles& angles = pass.angles[slot_];
    const std::size_t half = spec_.dims / 2;
    pass.kernels.rope(x, heads, head_dim, spec_.dims, angles.cosines + t * half, angles.sines + t * half);
  }

 private:
  RopeSpec spec_;
  std::size_t slot_;
  std::vector<double> frequencies_;  // radians per position
  std::vector<Axis> axes_;           // of each pair
  double magnitude_;                 // factor of cosine and sine
  Buffer<float> divisors_;           // dims / 2, or empty
  Buffer<float> unused_divisors_;    // the set of divisors that is not used, if the file has two
};

}  // namespace heed::nn

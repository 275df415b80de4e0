// Rotary position embedding, arXiv:2104.09864: the angles. The rotation itself is a kernel.
#pragma once

#include <vector>

#include "nn/pass.hpp"
#include "nn/weights.hpp"

namespace heed::nn {

/// The different ropes of a stack's attention, each once.
std::vector<RopeSpec> ropes_of(const StackSpec& spec);

class Rope {
 public:
  /// Its angles lie in pass.angles[slot]. Takes rope_freqs.weight where the file has it: one divisor for each frequency, which is how files hold Llama 3's
  /// scaling; or rope_factors_long and rope_factors_short, of which it uses one for all positions: the long factors where
  /// there is room for more `positions` than the original context.
  Rope(const RopeSpec& spec, std::size_t slot, std::size_t positions, Weights& weights);

  const RopeSpec& spec() const noexcept { return spec_; }
  static ScratchNeed need(const RopeSpec& spec, const Extent& extent) noexcept;

  /// Takes scratch for the angles of the pass, and fills it. The divisors must have been loaded.
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
  std::vector<double> frequencies_;  // radians a position
  double magnitude_;                 // of cosine and sine
  Buffer<float> divisors_;           // dims / 2, or empty
  Buffer<float> unused_divisors_;    // of the other length, where the file has two sets
};

}  // namespace heed::nn

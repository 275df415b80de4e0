// Rotary position embedding, arXiv:2104.09864: the angles. The rotation itself is a kernel.
#pragma once

#include <vector>

#include "nn/pass.hpp"
#include "nn/weights.hpp"

namespace heed::nn {

class Rope {
 public:
  /// Takes rope_freqs.weight where the file has it: one divisor for each frequency, which is how files hold Llama 3's
  /// scaling.
  Rope(const RopeSpec& spec, Weights& weights);

  /// Fills scratch.cosines and scratch.sines for the positions of the pass. The divisors must have been loaded.
  void fill_angles(Pass& pass) const noexcept;

  /// Rotates `heads` heads of `head_dim` in place, for token t of the pass.
  void operator()(float* x, std::size_t heads, std::size_t head_dim, std::size_t t, Pass& pass) const noexcept {
    const std::size_t half = spec_.dims / 2;
    pass.kernels.rope(x, heads, head_dim, spec_.dims, pass.scratch.cosines.data() + t * half,
                      pass.scratch.sines.data() + t * half);
  }

 private:
  RopeSpec spec_;
  std::vector<double> frequencies_;  // radians a position
  double magnitude_;                 // of cosine and sine
  Buffer<float> divisors_;           // dims / 2, or empty
};

}  // namespace heed::nn

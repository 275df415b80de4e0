// The relaxed dot product of each class of machine, emulated on the scalar instruction set, so that every class is
// tested on every machine.
#pragma once

#include <span>

#include "kernels/isa/relaxed_dot.hpp"
#include "kernels/isa/scalar.hpp"
#include "kernels/kernels.hpp"

namespace heed::test {

/// What WebAssembly's proposal allows, and engines do (vpdpbssd and sdot; vpdpbusd; pmaddubsw, pmaddwd and
/// paddd).
template <kernels::isa::DotClass kClass>
struct EmulatedInstruction {
  using Scalar = kernels::isa::Scalar;
  static Scalar::I32 dot(Scalar::Bytes activations, Scalar::Bytes weights, Scalar::I32 sum);
  /// 16-bit sums, which wrap.
  static Scalar::Bytes add_pairs(Scalar::Bytes activations, Scalar::Bytes weights, Scalar::Bytes sums);
  static Scalar::I32 fold_pairs(Scalar::Bytes sums);
};

/// V8 11.3 drops the sum.
struct BrokenInstruction {
  using Scalar = kernels::isa::Scalar;
  static Scalar::I32 dot(Scalar::Bytes activations, Scalar::Bytes weights, Scalar::I32 sum);
};

/// The generic kernels over each class.
std::span<const kernels::Kernels* const> emulated_relaxed();

}  // namespace heed::test

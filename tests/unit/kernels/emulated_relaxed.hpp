// The relaxed dot product of each class of machine, emulated on the scalar instruction set, so that every class is
// tested on every machine.
#pragma once

#include <span>
#include <string_view>

#include "kernels/isa/relaxed_dot.hpp"
#include "kernels/isa/scalar.hpp"
#include "kernels/kernels.hpp"

namespace heed::test {

/// The results that WebAssembly's proposal allows and engines give (vpdpbssd and sdot; vpdpbusd; pmaddubsw, pmaddwd and paddd).
template <kernels::isa::DotClass kClass>
struct EmulatedInstruction {
  using Scalar = kernels::isa::Scalar;
  static Scalar::I32 dot(Scalar::Bytes activations, Scalar::Bytes weights, Scalar::I32 sum);
  /// 16-bit sums of two products.
  static Scalar::Bytes pairs(Scalar::Bytes activations, Scalar::Bytes weights);
  /// Which wrap.
  static Scalar::Bytes add_pairs(Scalar::Bytes sums, Scalar::Bytes pairs);
  static Scalar::I32 add_folded(Scalar::I32 sum, Scalar::Bytes pairs);
  static Scalar::Bytes magnitudes(Scalar::Bytes a);
  static Scalar::Bytes signs(Scalar::Bytes a);
  static Scalar::Bytes flipped(Scalar::Bytes a, Scalar::Bytes signs);
};

/// V8 11.3 drops the sum.
struct BrokenInstruction {
  using Scalar = kernels::isa::Scalar;
  static Scalar::I32 dot(Scalar::Bytes activations, Scalar::Bytes weights, Scalar::I32 sum);
};

/// An instruction set without a dot product of bytes, such as simd128: several tokens share weights of 16 bits.
struct WideningScalar : kernels::isa::Scalar {
  static constexpr std::string_view kName = "widening";
  static constexpr bool kWidensTiles = true;
  using SignedIsa = WideningScalar;
  template <int kTop>
  using UnsignedIsa = WideningScalar;
  static I32 dot_pairs(I32 sum, Bytes low, Bytes high, Bytes weights);
};

/// The generic kernels over each class, and over WideningScalar; empty if they are not compiled (no_emulated_relaxed.cpp).
std::span<const kernels::Kernels* const> emulated_relaxed();

}  // namespace heed::test

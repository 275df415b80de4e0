#include "unit/kernels/emulated_relaxed.hpp"

#include <algorithm>
#include <cstdint>

#include "kernels/generic/table.hpp"

namespace heed::test {

using kernels::isa::DotClass;
using kernels::isa::RelaxedDot;
using kernels::isa::Scalar;

template <DotClass kClass>
Scalar::I32 EmulatedInstruction<kClass>::dot(Scalar::Bytes activations, Scalar::Bytes weights,
                                             Scalar::I32 sum) {
  const auto product = [&](std::size_t i) {
    const int a = static_cast<std::int8_t>(activations.v[i]);
    return a * (kClass == DotClass::sdot ? static_cast<std::int8_t>(weights.v[i])
                                         : static_cast<int>(weights.v[i]));
  };
  for (std::size_t i = 0; i < sizeof weights.v; i += 2) {
    const int pair = product(i) + product(i + 1);
    sum.v[i / 4] += kClass == DotClass::sat ? std::clamp(pair, -32768, 32767) : pair;
  }
  return sum;
}

template struct EmulatedInstruction<DotClass::sdot>;
template struct EmulatedInstruction<DotClass::usdot>;
template struct EmulatedInstruction<DotClass::sat>;

Scalar::I32 BrokenInstruction::dot(Scalar::Bytes activations, Scalar::Bytes weights, Scalar::I32) {
  return EmulatedInstruction<DotClass::sdot>::dot(activations, weights, Scalar::splat_i32(0));
}

namespace {

template <DotClass kClass>
constexpr const kernels::Kernels* kEmulated =
    &kernels::generic::kTable<RelaxedDot<Scalar, EmulatedInstruction<kClass>, kClass>>;

}  // namespace

std::span<const kernels::Kernels* const> emulated_relaxed() {
  static constexpr const kernels::Kernels* kAll[] = {kEmulated<DotClass::sdot>, kEmulated<DotClass::usdot>,
                                                     kEmulated<DotClass::sat>};
  return kAll;
}

}  // namespace heed::test

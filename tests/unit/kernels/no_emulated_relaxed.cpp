// Replaces emulated_relaxed.cpp in a build without it.
#include "unit/kernels/emulated_relaxed.hpp"

namespace heed::test {

std::span<const kernels::Kernels* const> emulated_relaxed() { return {}; }

}  // namespace heed::test

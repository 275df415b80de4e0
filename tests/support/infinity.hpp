#pragma once

#include <limits>

namespace heed::test {

inline constexpr float kInfinity = std::numeric_limits<float>::infinity();

}  // namespace heed::test

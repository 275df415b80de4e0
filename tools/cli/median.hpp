// The median of some measurements, of which there is at least one.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace heed::cli {

inline double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

}  // namespace heed::cli

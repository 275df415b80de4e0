// How far results are from a reference.
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <span>

namespace heed::golden {

/// RMS of the differences over the reference's standard deviation; infinite where there are more or fewer values.
inline double relative_distance(std::span<const float> got, std::span<const float> reference) {
  if (got.size() != reference.size() || reference.empty()) return std::numeric_limits<double>::infinity();
  const double mean = std::accumulate(reference.begin(), reference.end(), 0.0) / static_cast<double>(reference.size());
  double squares = 0, variance = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    const double difference = static_cast<double>(got[i]) - static_cast<double>(reference[i]);
    const double deviation = static_cast<double>(reference[i]) - mean;
    squares += difference * difference;
    variance += deviation * deviation;
  }
  return std::sqrt(squares / variance);
}

}  // namespace heed::golden

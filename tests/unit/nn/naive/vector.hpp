// Vectors of doubles, with common operations.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

namespace heed::test::naive {

using Vector = std::vector<double>;
using Sequence = std::vector<Vector>;  // one vector a token

inline void add(Vector& x, const Vector& y, double factor = 1) {
  for (std::size_t i = 0; i < x.size(); ++i) x[i] += factor * y[i];
}

inline Vector part(const Vector& x, std::size_t from, std::size_t count) {
  const auto begin = x.begin() + static_cast<std::ptrdiff_t>(from);
  return {begin, begin + static_cast<std::ptrdiff_t>(count)};
}

inline double dot(const Vector& a, const Vector& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

inline double logistic(double x) { return 1 / (1 + std::exp(-x)); }
inline double capped(double x, double cap) { return cap == 0 ? x : cap * std::tanh(x / cap); }

/// e^x over the sum of all e^x, and of e^sink where there is one: in that case the result sums to less than 1.
inline Vector softmax(Vector x, const double* sink = nullptr) {
  double sum = sink ? std::exp(*sink) : 0;
  for (double& v : x) sum += v = std::exp(v);
  for (double& v : x) v /= sum;
  return x;
}

}  // namespace heed::test::naive

// RMSNorm (arXiv:1910.07467) and LayerNorm (arXiv:1607.06450).
#pragma once

#include <string>

#include "nn/spec.hpp"
#include "unit/nn/naive/parameters.hpp"

namespace heed::test::naive {

inline Vector norm(const nn::NormSpec& spec, Vector x, const Vector& weight, const Vector& bias = {}) {
  if (const std::size_t n = x.size() / spec.groups; spec.groups > 1) {  // each by itself
    for (std::size_t at = 0; at < x.size(); at += n) {
      const Vector group = norm({spec.kind, spec.epsilon}, part(x, at, n), part(weight, at, n));
      std::copy(group.begin(), group.end(), x.begin() + static_cast<std::ptrdiff_t>(at));
    }
    return x;
  }
  const auto n = static_cast<double>(x.size());
  double mean = 0, square = 0;
  if (spec.kind == nn::NormKind::layer)
    for (const double v : x) mean += v / n;
  for (double& v : x) v -= mean;
  for (const double v : x) square += v * v / n;
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] = x[i] / std::sqrt(square + spec.epsilon) * weight[i] + (bias.empty() ? 0 : bias[i]);
  return x;
}

/// With the weights `name`; the identity where there is no name.
inline Vector norm(const nn::NormSpec& spec, const Vector& x, const std::string& before, std::string_view name,
                   const Parameters& parameters) {
  if (name.empty()) return x;
  if (!spec.weighted) return norm(spec, x, Vector(x.size(), 1));
  const std::string full = before + std::string(name);
  return norm(spec, x, parameters.values(full + ".weight"),
              parameters.has(full + ".bias") ? parameters.values(full + ".bias") : Vector{});
}

}  // namespace heed::test::naive

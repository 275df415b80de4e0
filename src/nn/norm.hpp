// RMSNorm and LayerNorm over each token's D values.
#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <span>

#include "nn/pass.hpp"
#include "nn/weights.hpp"

namespace heed::nn {

class Norm {
 public:
  /// Takes `name`.weight, or just `name` (Falcon-H1), and `name`.bias if present; nothing if the norm has no weights.
  Norm(const NormSpec& spec, std::size_t width, const std::string& name, Weights& weights) : Norm(spec, width) {
    if (!spec.weighted) return;
    weight_ = weights.vector(weights.contains(name) ? name : name + ".weight", width);
    bias_ = weights.optional_vector(name + ".bias", width);
  }

  /// A norm without weights.
  Norm(const NormSpec& spec, std::size_t width) : spec_(spec), weight_(width) { std::fill_n(weight_.data(), width, 1.0f); }

  /// out: T x D; may be in.data.
  void operator()(Activations in, float* out, Pass& pass) const noexcept {
    pass.pool.parallel_for(in.tokens, 4, [&](std::size_t begin, std::size_t end, std::size_t) noexcept {
      for (std::size_t t = begin; t < end; ++t) apply(in.data + t * in.width, in.width, out + t * in.width, pass);
    });
  }

  /// y = norm of the `width` values of x.
  void apply(const float* x, std::size_t width, float* y, Pass& pass) const noexcept {
    if (spec_.kind == NormKind::layer) return pass.kernels.layer_norm(x, weight_.data(), bias_.data(), spec_.epsilon, width, y);
    const std::size_t group = width / spec_.groups;
    for (std::size_t at = 0; at < width; at += group)
      pass.kernels.rms_norm(x + at, weight_.data() + at, spec_.epsilon, group, y + at);
    if (!bias_.empty()) pass.kernels.add(y, bias_.data(), width);
  }

  /// Whether all values have the same divisor.
  bool divides_whole() const noexcept { return spec_.groups == 1; }
  struct Divisor {
    double mean, divisor;  // the mean is 0 if the norm does not center
  };
  /// The mean and the divisor for x. The norm must have one group.
  Divisor divisor_of(std::span<const float> x) const noexcept {
    const auto width = static_cast<double>(x.size());
    const double mean = spec_.kind == NormKind::layer ? std::accumulate(x.begin(), x.end(), 0.0) / width : 0.0;
    double squares = 0;
    for (const float value : x) squares += (static_cast<double>(value) - mean) * (static_cast<double>(value) - mean);
    return {mean, std::sqrt(squares / width + static_cast<double>(spec_.epsilon))};
  }
  /// y = the norm of x, with `by` in place of x's own mean and divisor. y may be x.
  void apply_by(const Divisor& by, std::span<const float> x, float* y) const noexcept {
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double value = (static_cast<double>(x[i]) - by.mean) / by.divisor * static_cast<double>(weight_[i]);
      y[i] = static_cast<float>(value + (bias_.empty() ? 0.0 : static_cast<double>(bias_[i])));
    }
  }

  /// Replaces u by the vector u' for which u' x is u norm(x) without the bias, with x's divisor held constant: the norm is then
  /// linear.
  void pull_back(std::span<const double> x, std::span<double> u) const noexcept {
    const std::size_t group = x.size() / spec_.groups;
    const auto width = static_cast<double>(group);
    const bool centered = spec_.kind == NormKind::layer;
    for (std::size_t at = 0; at < u.size(); at += group) {
      const auto values = x.subspan(at, group);
      const double mean = centered ? std::accumulate(values.begin(), values.end(), 0.0) / width : 0.0;
      double squares = 0;
      for (const double value : values) squares += (value - mean) * (value - mean);
      const double divisor = std::sqrt(squares / width + static_cast<double>(spec_.epsilon));
      for (std::size_t i = at; i < at + group; ++i) u[i] *= static_cast<double>(weight_[i]) / divisor;
    }
    const double excess = centered ? std::accumulate(u.begin(), u.end(), 0.0) / width : 0.0;
    for (double& value : u) value -= excess;
  }
  /// The norm's bias; may be empty.
  std::span<const float> bias() const noexcept { return bias_.span(); }

 private:
  NormSpec spec_;
  Buffer<float> weight_, bias_;
};

/// The norm `prefix` + `name`, or none if the name in the spec is empty.
inline std::optional<Norm> optional_norm(const NormSpec& spec, std::size_t width, const std::string& prefix, std::string_view name,
                                         Weights& weights) {
  if (name.empty()) return std::nullopt;
  return Norm(spec, width, prefix + std::string(name), weights);
}

}  // namespace heed::nn

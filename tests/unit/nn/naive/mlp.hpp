// Feed-forward blocks (arXiv:1706.03762, section 3.3), gated ones (arXiv:2002.05202) and their activations.
#pragma once

#include <algorithm>
#include <numeric>

#include "unit/nn/naive/norm.hpp"
#include "unit/nn/naive/rope.hpp"

namespace heed::test::naive {

inline double activated(kernels::Activation f, double x) {
  switch (f) {
    case kernels::Activation::relu: return std::max(x, 0.0);
    case kernels::Activation::relu_squared: return std::max(x, 0.0) * std::max(x, 0.0);
    case kernels::Activation::silu: return x * logistic(x);
    case kernels::Activation::gelu: return x * 0.5 * (1 + std::erf(x / std::sqrt(2.0)));
    case kernels::Activation::gelu_tanh: return x * 0.5 * (1 + std::tanh(std::sqrt(2 / kPi) * (x + 0.044715 * x * x * x)));
    case kernels::Activation::gelu_quick: return x * logistic(1.702 * x);
    case kernels::Activation::sigmoid: return logistic(x);
    case kernels::Activation::swiglu_oai: return std::min(x, 7.0) * logistic(1.702 * std::min(x, 7.0));
  }
  return x;
}

/// xIELU, arXiv:2411.13010
inline double activated(const kernels::Xielu& f, double x) {
  return (x > 0 ? f.positive * x * x : f.negative * (std::expm1(x) - x)) + f.linear * x;
}

/// f(gate) * up; gpt-oss clamps up as well, and adds 1.
inline Vector gated(kernels::Activation f, const Vector& gate, const Vector& up) {
  Vector hidden;
  for (std::size_t i = 0; i < gate.size(); ++i) {
    const double factor = f == kernels::Activation::swiglu_oai ? std::clamp(up[i], -7.0, 7.0) + 1 : up[i];
    hidden.push_back(activated(f, gate[i]) * factor);
  }
  return hidden;
}

/// The same where the spec limits what is multiplied: the gate before or after f, and up.
inline Vector gated(const nn::MlpSpec& spec, Vector gate, Vector up) {
  if (spec.limit == 0) return gated(spec.activation, gate, up);
  for (std::size_t i = 0; i < gate.size(); ++i) {
    if (spec.limits_first) gate[i] = std::min<double>(gate[i], spec.limit);
    gate[i] = activated(spec.activation, gate[i]);
    if (!spec.limits_first) gate[i] = std::min<double>(gate[i], spec.limit);
    gate[i] *= std::clamp<double>(up[i], -spec.limit, spec.limit);
  }
  return gate;
}

/// Gates less mean + cutoff deviations, which leaves few that are not 0.
inline Vector cut_off(std::optional<float> cutoff, Vector gates) {
  if (!cutoff) return gates;
  const double n = static_cast<double>(gates.size()), mean = std::accumulate(gates.begin(), gates.end(), 0.0) / n;
  double squares = 0;
  for (const double gate : gates) squares += (gate - mean) * (gate - mean);
  const double least = mean + *cutoff * (n > 1 ? std::sqrt(squares / (n - 1)) : 0);
  for (double& gate : gates) gate = std::max(gate - least, 0.0);
  return gates;
}

inline Vector mlp(nn::MlpSpec spec, const Vector& h, const std::string& layer, const Parameters& parameters,
                  const std::string& suffix = "") {
  const std::string gate = layer + "ffn_gate" + suffix, up = layer + "ffn_up" + suffix, down = layer + "ffn_down" + suffix;
  if (spec.without_gate && !parameters.has(gate + ".weight")) {
    spec.gated = false;
    spec.activation = *spec.without_gate;
  }
  Vector hidden;
  if (!spec.gated) {
    for (const double x : parameters.linear(up, h))
      hidden.push_back(spec.xielu ? activated(*spec.xielu, x) : activated(spec.activation, x));
  } else if (parameters.has(gate + ".weight")) {
    hidden = gated(spec, cut_off(spec.cutoff, parameters.linear(gate, h)), parameters.linear(up, h));
  } else {  // both in one, the gate first
    const Vector both = parameters.linear(up, h);
    hidden = gated(spec, cut_off(spec.cutoff, part(both, 0, spec.feed_forward)), part(both, spec.feed_forward, spec.feed_forward));
  }
  if (const std::string scales = layer + "ffn.act.scales"; spec.shrinks && parameters.has(scales))
    for (std::size_t i = 0; i < hidden.size(); ++i) hidden[i] /= parameters.values(scales)[i];
  if (spec.sub_norm) hidden = norm(*spec.sub_norm, hidden, layer, "ffn_sub_norm", parameters);
  return parameters.linear(down, hidden);
}

}  // namespace heed::test::naive

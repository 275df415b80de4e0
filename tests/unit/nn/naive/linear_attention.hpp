// Attention by a state, as the papers write it: M = g M + k^T d, y = q M, one token after the other; and the convolution before
// it.
#pragma once

#include "nn/spec.hpp"
#include "unit/nn/naive/norm.hpp"

namespace heed::test::naive {

inline double softplus(double x) { return x > 40 ? x : std::log1p(std::exp(x)); }

/// Each channel over the last tokens, then SiLU; nothing is before the first.
inline Sequence convolved(const Sequence& inputs, std::size_t taps, const std::string& name, const Parameters& parameters) {
  Sequence out;
  const bool biased = parameters.has(name + ".bias");
  for (std::size_t t = 0; t < inputs.size(); ++t) {
    out.push_back(biased ? parameters.values(name + ".bias") : Vector(inputs[t].size()));
    for (std::size_t i = 0; i < inputs[t].size(); ++i) {
      const Vector weights = parameters.row(name + ".weight", i);
      for (std::size_t back = 0; back < taps && back <= t; ++back) out[t][i] += weights[taps - 1 - back] * inputs[t - back][i];
      out[t][i] *= logistic(out[t][i]);
    }
  }
  return out;
}

/// The state of one head, keys x values.
class HeadState {
 public:
  HeadState(std::size_t keys, std::size_t values) : rows_(keys, Vector(values)) {}

  void decay(double factor) {
    for (Vector& row : rows_)
      for (double& x : row) x *= factor;
  }
  Vector ask(const Vector& key) const {
    Vector sum(rows_[0].size());
    for (std::size_t i = 0; i < key.size(); ++i) add(sum, rows_[i], key[i]);
    return sum;
  }
  void tell(const Vector& key, const Vector& value) {
    for (std::size_t i = 0; i < key.size(); ++i) add(rows_[i], value, key[i]);
  }

 private:
  std::vector<Vector> rows_;
};

/// arXiv:2412.06464, with Qwen3-Next's additions.
inline Sequence gated_delta_net(const nn::GatedDeltaNetSpec& spec, const Sequence& h, const std::string& layer,
                                const Parameters& parameters) {
  const std::size_t dk = spec.key_dim, dv = spec.value_dim, keys = spec.key_heads * dk, values = spec.heads * dv;
  const std::size_t shared = spec.heads / spec.key_heads;
  Sequence qkv, gates, betas, alphas;
  for (const Vector& x : h) {
    if (parameters.has(layer + "ssm_in.weight")) {  // all that belongs to a key head lies together
      const Vector all = parameters.linear(layer + "ssm_in", x);
      Vector q, k, v, gate;
      for (std::size_t g = 0; g < spec.key_heads; ++g) {
        const std::size_t at = g * (2 * dk + 2 * shared * dv);
        const auto append = [&](Vector& to, std::size_t from, std::size_t count) {
          for (const double value : part(all, at + from, count)) to.push_back(value);
        };
        append(q, 0, dk);
        append(k, dk, dk);
        append(v, 2 * dk, shared * dv);
        append(gate, 2 * dk + shared * dv, shared * dv);
      }
      q.insert(q.end(), k.begin(), k.end());
      q.insert(q.end(), v.begin(), v.end());
      qkv.push_back(q);
      gates.push_back(gate);
    } else {
      qkv.push_back(parameters.linear(layer + "attn_qkv", x));
      gates.push_back(parameters.linear(layer + "attn_gate", x));
    }
    if (parameters.has(layer + "ssm_ba.weight")) {
      const Vector all = parameters.linear(layer + "ssm_ba", x);
      Vector beta, alpha;
      for (std::size_t i = 0; i < all.size(); ++i) (i % (2 * shared) < shared ? beta : alpha).push_back(all[i]);
      betas.push_back(beta);
      alphas.push_back(alpha);
    } else {
      betas.push_back(parameters.linear(layer + "ssm_beta", x));
      alphas.push_back(parameters.linear(layer + "ssm_alpha", x));
    }
  }
  const Sequence mixed = convolved(qkv, spec.taps, layer + "ssm_conv1d", parameters);
  const Vector a = parameters.values(layer + "ssm_a"), bias = parameters.values(layer + "ssm_dt.bias");
  const auto of_length_one = [&](Vector x, double scale) {
    const double length = std::sqrt(dot(x, x) + spec.norm.epsilon);
    for (double& value : x) value *= scale / length;
    return x;
  };
  std::vector<HeadState> states(spec.heads, HeadState(dk, dv));
  Sequence out;
  for (std::size_t t = 0; t < h.size(); ++t) {
    Vector y;
    for (std::size_t head = 0; head < spec.heads; ++head) {
      const std::size_t key_head = spec.tiled ? head % spec.key_heads : head / shared;
      const Vector q = of_length_one(part(mixed[t], key_head * dk, dk), 1 / std::sqrt(static_cast<double>(dk)));
      const Vector k = of_length_one(part(mixed[t], keys + key_head * dk, dk), 1);
      const double beta = logistic(betas[t][head]);
      states[head].decay(std::exp(softplus(alphas[t][head] + bias[head]) * a[head]));
      Vector d = part(mixed[t], 2 * keys + head * dv, dv);
      add(d, states[head].ask(k), -1);
      for (double& value : d) value *= beta;
      states[head].tell(k, d);
      Vector one = norm(spec.norm, states[head].ask(q), parameters.values(layer + "ssm_norm.weight"));
      for (std::size_t i = 0; i < dv; ++i) {
        const double gate = gates[t][head * dv + i];
        y.push_back(one[i] * gate * logistic(gate));
      }
    }
    y.resize(values);
    out.push_back(parameters.linear(layer + "ssm_out", y));
  }
  return out;
}

/// arXiv:2405.21060
inline Sequence mamba2(const nn::Mamba2Spec& spec, const Sequence& h, const std::string& layer, const Parameters& parameters) {
  const std::size_t dim = spec.head_dim, values = spec.heads * dim, keys = spec.groups * spec.state;
  const std::size_t channels = values + 2 * keys;
  Sequence gates, inputs, steps;
  for (const Vector& x : h) {
    const Vector all = parameters.linear(layer + "ssm_in", x);
    gates.push_back(part(all, 0, values));
    inputs.push_back(part(all, values, channels));
    steps.push_back(part(all, values + channels, spec.heads));
  }
  const Sequence mixed = convolved(inputs, spec.taps, layer + "ssm_conv1d", parameters);
  const Vector a = parameters.values(layer + "ssm_a"), d = parameters.values(layer + "ssm_d"),
               bias = parameters.values(layer + "ssm_dt.bias");
  std::vector<HeadState> states(spec.heads, HeadState(spec.state, dim));
  Sequence out;
  for (std::size_t t = 0; t < h.size(); ++t) {
    Vector y;
    for (std::size_t head = 0; head < spec.heads; ++head) {
      const std::size_t group = head / (spec.heads / spec.groups);
      const Vector b = part(mixed[t], values + group * spec.state, spec.state);
      const Vector c = part(mixed[t], values + keys + group * spec.state, spec.state);
      const Vector x = part(mixed[t], head * dim, dim);
      const double step = softplus(steps[t][head] + bias[head]);
      Vector added = x;
      for (double& value : added) value *= step;
      states[head].decay(std::exp(step * a[head]));
      states[head].tell(b, added);
      Vector one = states[head].ask(c);
      add(one, x, d[head]);
      for (std::size_t i = 0; i < dim; ++i) {
        const double gate = gates[t][head * dim + i];
        y.push_back(one[i] * gate * logistic(gate));
      }
    }
    if (parameters.has(layer + "ssm_norm.weight"))
      for (std::size_t g = 0; g < spec.groups; ++g) {
        const Vector normed = norm(spec.norm, part(y, g * values / spec.groups, values / spec.groups),
                                   parameters.row(layer + "ssm_norm.weight", g));
        std::copy(normed.begin(), normed.end(), y.begin() + static_cast<std::ptrdiff_t>(g * values / spec.groups));
      }
    out.push_back(parameters.linear(layer + "ssm_out", y));
  }
  return out;
}

}  // namespace heed::test::naive

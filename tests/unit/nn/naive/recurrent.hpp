// Mamba (arXiv:2312.00752), RWKV 6 and 7 (arXiv:2404.05892, arXiv:2503.14456) and Kimi Delta Attention (arXiv:2510.26692) as their papers
// write them: one token after the other, a matrix for each head.
#pragma once

#include "unit/nn/naive/linear_attention.hpp"
#include "unit/nn/naive/mlp.hpp"

namespace heed::test::naive {

inline Vector activated(Vector x, kernels::Activation f) {
  for (double& v : x) v = activated(f, v);
  return x;
}

inline Sequence mamba(const nn::MambaSpec& spec, const Sequence& h, const std::string& layer, const Parameters& parameters) {
  const std::size_t dim = spec.head_dim, inner = spec.heads * dim, n = spec.state;
  Sequence u, gates, out;
  for (const Vector& x : h) {
    const Vector both = parameters.linear(layer + "ssm_in", x);
    Vector channels, gate;
    for (std::size_t i = 0; i < both.size(); ++i) {
      const bool is_gate = spec.by_head ? i % (2 * dim) < dim : i >= inner;
      (is_gate ? gate : channels).push_back(both[i]);
    }
    u.push_back(channels);
    gates.push_back(gate);
  }
  u = convolved(u, spec.taps, layer + "ssm_conv1d", parameters);
  const Vector rates = parameters.values(layer + "ssm_a"), skip = parameters.values(layer + "ssm_d");
  const auto normed = [&](const Vector& x, const std::string& name) {
    if (spec.normed) return norm({spec.norm.kind, spec.norm.epsilon}, x, Vector(x.size(), 1));
    return parameters.has(layer + name + ".weight") ? norm(spec.norm, x, layer, name, parameters) : x;
  };
  Vector states(inner * n);
  for (std::size_t t = 0; t < h.size(); ++t) {
    const Vector all = parameters.linear(layer + "ssm_x", u[t]);
    const std::size_t of_b = spec.by_head ? 0 : spec.rank, of_dt = spec.by_head ? 2 * n : 0;
    const Vector dt = parameters.linear(layer + "ssm_dt", normed(part(all, of_dt, spec.rank), "ssm_dt_norm"));
    const Vector b = normed(part(all, of_b, n), "ssm_b_norm"), c = normed(part(all, of_b + n, n), "ssm_c_norm");
    Vector y(inner);
    for (std::size_t channel = 0; channel < inner; ++channel) {
      const std::size_t head = channel / dim;
      const double step = softplus(dt[head]);
      for (std::size_t i = 0; i < n; ++i) {
        double& state = states[channel * n + i];
        state = std::exp(step * rates[spec.one_rate ? head : head * n + i]) * state + step * u[t][channel] * b[i];
        y[channel] += state * c[i];
      }
      y[channel] = (y[channel] + skip[head] * u[t][channel]) * gates[t][channel] * logistic(gates[t][channel]);
    }
    out.push_back(parameters.linear(layer + "ssm_out", y));
  }
  return out;
}

/// y + (the row before - y) share.
inline Vector shifted(const Sequence& y, std::size_t t, const Vector& share) {
  Vector x = y[t];
  for (std::size_t i = 0; i < x.size(); ++i) x[i] += ((t == 0 ? 0 : y[t - 1][i]) - y[t][i]) * share[i];
  return x;
}

inline Vector low_rank(const std::string& name, const Vector& x, double (*f)(double), const Parameters& parameters) {
  Vector low = parameters.linear(name + "1", x);
  for (double& v : low) v = f(v);
  Vector out = parameters.linear(name + "2", low);
  if (parameters.has(name + "0.weight")) add(out, parameters.values(name + "0.weight"));
  return out;
}

/// `first`: the values of the first layer, which sets them.
inline Sequence rwkv_time_mix(const nn::RwkvTimeMixSpec& spec, const Sequence& h, const std::string& layer, Sequence& first,
                              const Parameters& parameters) {
  const std::string name = layer + "time_mix_";
  const std::size_t width = h[0].size(), dim = spec.head_dim, heads = width / dim;
  const auto same = [](double x) { return x; };
  const auto tanh = [](double x) { return std::tanh(x); };
  const Vector shares = parameters.values(name + "lerp_fused.weight");
  std::vector<Vector> matrices(heads, Vector(dim * dim));  // a row for each channel of keys
  Sequence out;
  for (std::size_t t = 0; t < h.size(); ++t) {
    const auto share = [&](std::size_t i) { return part(shares, i * width, width); };
    Vector r, k, v, g, w, a(width), normed;
    if (spec.version == 6) {
      Vector m = parameters.linear(name + "w1", shifted(h, t, parameters.values(name + "lerp_x.weight")));
      for (double& x : m) x = std::tanh(x);
      const auto input = [&](std::size_t i) {
        Vector own = share(i);
        add(own, parameters.linear(name + "w2", i, 5, part(m, i * spec.mix_rank, spec.mix_rank)));
        return shifted(h, t, own);
      };
      w = low_rank(name + "decay_w", input(0), tanh, parameters);
      add(w, parameters.values(name + "decay.weight"));
      for (double& x : w) x = std::exp(-std::exp(x));
      k = parameters.linear(name + "key", input(1));
      v = parameters.linear(name + "value", input(2));
      r = parameters.linear(name + "receptance", input(3));
      g = activated(parameters.linear(name + "gate", input(4)), kernels::Activation::silu);
    } else {
      const auto input = [&](std::size_t i) { return shifted(h, t, share(i)); };
      r = parameters.linear(name + "receptance", input(0));
      w = low_rank(name + "w", input(1), tanh, parameters);
      for (double& x : w) x = std::exp(-0.606531 * logistic(x));
      k = parameters.linear(name + "key", input(2));
      v = parameters.linear(name + "value", input(3));
      a = activated(low_rank(name + "a", input(4), same, parameters), kernels::Activation::sigmoid);
      g = spec.gate_rank == 0 ? Vector(width, 1) : low_rank(name + "g", input(5), logistic, parameters);
      if (spec.first) {
        first.push_back(v);
      } else {
        const Vector share_of_first = activated(low_rank(name + "v", input(3), same, parameters), kernels::Activation::sigmoid);
        for (std::size_t i = 0; i < width; ++i) v[i] += (first[t][i] - v[i]) * share_of_first[i];
      }
      const Vector k_k = parameters.values(name + "k_k.weight"), k_a = parameters.values(name + "k_a.weight");
      for (std::size_t i = 0; i < width; ++i) {
        normed.push_back(k[i] * k_k[i]);
        k[i] += (a[i] - 1) * k[i] * k_a[i];
      }
    }
    Vector y(width);
    for (std::size_t head = 0; head < heads; ++head) {
      Vector& matrix = matrices[head];
      const std::size_t at = head * dim;
      double length = 0;
      for (std::size_t i = 0; !normed.empty() && i < dim; ++i) length += normed[at + i] * normed[at + i];
      length = std::max(std::sqrt(length), 1e-12);
      for (std::size_t j = 0; j < dim; ++j) {
        double taken = 0;
        for (std::size_t i = 0; !normed.empty() && i < dim; ++i) taken -= normed[at + i] / length * matrix[i * dim + j];
        for (std::size_t i = 0; i < dim; ++i) {
          double& state = matrix[i * dim + j];
          const double kv = k[at + i] * v[at + j];
          if (spec.version == 6) {
            y[at + j] += r[at + i] * (state + parameters.values(name + "first.weight")[at + i] * kv);
            state = w[at + i] * state + kv;
          } else {
            state = w[at + i] * state + normed[at + i] / length * a[at + i] * taken + kv;
            y[at + j] += r[at + i] * state;
          }
        }
      }
      const Vector weight = parameters.values(name + "ln.weight"), bias = parameters.values(name + "ln.bias");
      Vector mixed = norm({nn::NormKind::layer, 64e-5f}, part(y, at, dim), part(weight, at, dim), part(bias, at, dim));
      double own = 0;
      for (std::size_t i = at; spec.version == 7 && i < at + dim; ++i)
        own += r[i] * k[i] * parameters.values(name + "r_k.weight")[i];
      for (std::size_t i = 0; i < dim; ++i) y[at + i] = (mixed[i] + own * v[at + i]) * g[at + i];
    }
    out.push_back(parameters.linear(name + "output", y));
  }
  return out;
}

inline Sequence rwkv_channel_mix(const nn::RwkvChannelMixSpec& spec, const Sequence& h, const std::string& layer,
                                 const Parameters& parameters) {
  const std::string name = layer + "channel_mix_";
  Sequence out;
  for (std::size_t t = 0; t < h.size(); ++t) {
    const Vector hidden = parameters.linear(name + "key", shifted(h, t, parameters.values(name + "lerp_k.weight")));
    out.push_back(parameters.linear(name + "value", activated(hidden, kernels::Activation::relu_squared)));
    if (!spec.receptance) continue;
    const Vector opened = parameters.linear(name + "receptance", shifted(h, t, parameters.values(name + "lerp_r.weight")));
    for (std::size_t i = 0; i < opened.size(); ++i) out[t][i] *= logistic(opened[i]);
  }
  return out;
}

inline Sequence kimi_delta(const nn::KimiDeltaSpec& spec, const Sequence& h, const std::string& layer,
                           const Parameters& parameters) {
  const std::size_t dim = spec.dim;
  Sequence qkv[3], out;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::string letter(1, "qkv"[i]);
    for (const Vector& x : h) qkv[i].push_back(parameters.linear(layer + "attn_" + letter, x));
    qkv[i] = convolved(qkv[i], spec.taps, layer + "ssm_conv1d_" + letter, parameters);
  }
  const Vector rates = parameters.values(layer + "ssm_a"), bias = parameters.values(layer + "ssm_dt.bias");
  std::vector<Vector> matrices(spec.heads, Vector(dim * dim));
  for (std::size_t t = 0; t < h.size(); ++t) {
    const Vector decay = parameters.linear(layer + "ssm_f_b", parameters.linear(layer + "ssm_f_a", h[t]));
    const Vector gate = parameters.linear(layer + "ssm_g_b", parameters.linear(layer + "ssm_g_a", h[t]));
    const Vector beta = parameters.linear(layer + "ssm_beta", h[t]);
    Vector y;
    for (std::size_t head = 0; head < spec.heads; ++head) {
      const std::size_t at = head * dim;
      Vector q = part(qkv[0][t], at, dim), k = part(qkv[1][t], at, dim), d = part(qkv[2][t], at, dim), mixed(dim);
      const double of_q = std::max<double>(std::sqrt(dot(q, q)), spec.norm.epsilon) * std::sqrt(static_cast<double>(dim));
      const double of_k = std::max<double>(std::sqrt(dot(k, k)), spec.norm.epsilon);
      for (std::size_t i = 0; i < dim; ++i)
        for (std::size_t j = 0; j < dim; ++j) {
          matrices[head][i * dim + j] *= std::exp(rates[head] * softplus(decay[at + i] + bias[at + i]));
          d[j] -= k[i] / of_k * matrices[head][i * dim + j];
        }
      for (std::size_t i = 0; i < dim; ++i)
        for (std::size_t j = 0; j < dim; ++j) {
          matrices[head][i * dim + j] += k[i] / of_k * logistic(beta[head]) * d[j];
          mixed[j] += q[i] / of_q * matrices[head][i * dim + j];
        }
      mixed = norm(spec.norm, mixed, layer, "ssm_norm", parameters);
      for (std::size_t i = 0; i < dim; ++i) y.push_back(mixed[i] * logistic(gate[at + i]));
    }
    out.push_back(parameters.linear(layer + "attn_output", y));
  }
  return out;
}

}  // namespace heed::test::naive

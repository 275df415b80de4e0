// Attention (arXiv:1706.03762) over everything that a query sees, from scratch for every query.
#pragma once

#include <functional>

#include "unit/nn/naive/experts.hpp"
#include "unit/nn/naive/norm.hpp"
#include "unit/nn/naive/rope.hpp"

namespace heed::test::naive {

/// Whether the query may see the key. A window of n is the query's own position and the n - 1 before or, without
/// a mask, those at most n / 2 away.
inline bool sees(const nn::AttentionSpec& spec, std::size_t query, std::size_t key) {
  if (spec.cross) return true;
  if (spec.mask == nn::Mask::none) return spec.window == 0 || (key <= query + spec.window / 2 && query <= key + spec.window / 2);
  if (spec.chunked) return key <= query && key / spec.window == query / spec.window;
  return key <= query && (spec.window == 0 || key + spec.window > query);
}

/// The sum of the values, weighed by softmax of the scores; `score` and `value` are functions of the key's position.
template <class Score, class Value>
Vector mix(const std::vector<std::size_t>& keys, const double* sink, Score score, Value value) {
  Vector scores;
  for (const std::size_t key : keys) scores.push_back(score(key));
  const Vector weights = softmax(std::move(scores), sink);
  Vector sum(value(keys[0]).size());
  for (std::size_t i = 0; i < keys.size(); ++i) add(sum, value(keys[i]), weights[i]);
  return sum;
}

/// Queries or keys of one position, normed (section 3 of arXiv:2010.04245).
inline Vector normed(Vector x, const nn::AttentionSpec& spec, std::size_t heads, const std::string& norm_name,
                     const Parameters& parameters) {
  if (!spec.qk_norm) return x;
  if (!spec.qk_norm->norm.weighted || spec.qk_norm->span == nn::QkNormSpan::head_factor) {
    const bool factors = spec.qk_norm->norm.weighted && parameters.has(norm_name + ".weight");
    for (std::size_t h = 0; h < heads; ++h) {
      const Vector ones(spec.key_dim, factors ? parameters.values(norm_name + ".weight")[h] : 1);
      const Vector head = norm({spec.qk_norm->norm.kind, spec.qk_norm->norm.epsilon}, part(x, h * spec.key_dim, spec.key_dim),
                               ones);
      std::copy(head.begin(), head.end(), x.begin() + static_cast<std::ptrdiff_t>(h * spec.key_dim));
    }
    return x;
  }
  if (!parameters.has(norm_name + ".weight")) return x;
  const Vector weight = parameters.values(norm_name + ".weight");
  const Vector bias = parameters.has(norm_name + ".bias") ? parameters.values(norm_name + ".bias") : Vector{};
  if (spec.qk_norm->span == nn::QkNormSpan::all_heads) return norm(spec.qk_norm->norm, x, weight, bias);
  const std::size_t d = spec.key_dim;
  for (std::size_t h = 0; h < heads; ++h) {
    const bool own = spec.qk_norm->span == nn::QkNormSpan::each_head;
    const Vector head = norm(spec.qk_norm->norm, part(x, h * d, d), part(weight, own ? h * d : 0, d), bias);
    std::copy(head.begin(), head.end(), x.begin() + static_cast<std::ptrdiff_t>(h * d));
  }
  return x;
}

/// And each head rotated, before or after.
inline Vector normed_and_rotated(Vector x, const nn::AttentionSpec& spec, std::size_t heads, const std::string& norm_name,
                                 std::size_t position, const Vector& divisors, const Parameters& parameters) {
  const bool norms_last = spec.qk_norm && spec.qk_norm->after_rope;
  if (!norms_last) x = normed(x, spec, heads, norm_name, parameters);
  if (spec.rope)
    for (std::size_t h = 0; h < heads; ++h) rotate(x.data() + h * spec.key_dim, *spec.rope, position, divisors);
  return norms_last ? normed(x, spec, heads, norm_name, parameters) : x;
}

/// The temperature, which grows with the position of a query, so that attention over many keys stays sharp (arXiv:2501.19399).
inline double temperature(const nn::AttentionSpec& spec, std::size_t position) {
  const double periods = std::floor(static_cast<double>(position + spec.temperature_offset) /
                                    static_cast<double>(spec.temperature_period));
  return 1 + spec.temperature * std::log(periods + 1);
}

/// What a head or one of its values is multiplied by.
inline double opened(nn::GateCurve curve, double gate) {
  if (curve == nn::GateCurve::sigmoid) return logistic(gate);
  return curve == nn::GateCurve::softplus ? std::log1p(std::exp(gate)) : std::log2(1 + std::exp2(gate));
}

inline Vector bounded(const nn::AttentionSpec& spec, Vector x) {
  for (double& v : x)
    if (spec.clamp != 0) v = std::clamp<double>(v, -spec.clamp, spec.clamp);
  return x;
}

/// The weighted sum of silu(W x) of the chosen experts.
inline Vector routed_values(const nn::ValueExpertsSpec& spec, const Vector& x, std::size_t values, const std::string& name,
                            const Parameters& parameters) {
  Vector scores = parameters.linear(name + "_v_gate", x);  // with what is for choosing only
  const Vector bias = parameters.values(name + "_v_gate.bias");
  add(scores, bias, -1);
  const nn::ExpertsSpec as_experts{
      .count = spec.count, .used = spec.used, .gating = spec.gating, .normalized = spec.normalized, .scale = spec.scale};
  Vector v(values);
  for (const auto& [e, weight] : chosen(as_experts, scores, bias)) {
    Vector made = parameters.linear(name + "_v_exps", e, spec.count, x);
    for (double& value : made) value *= logistic(value);
    add(v, made, weight);
  }
  return v;
}

/// Of every position, as a layer has them once keys are normed and rotated.
struct KeysAndValues {
  Sequence k, v;
};

inline KeysAndValues keys_and_values(const nn::AttentionSpec& spec, const Sequence& from, const std::string& layer,
                                     const Vector& divisors, const Parameters& parameters) {
  const std::string name = layer + std::string(spec.name);
  const std::size_t queries = spec.heads * spec.key_dim, keys = spec.kv_heads * spec.key_dim,
                    values = spec.kv_heads * spec.value_dim;
  const bool fused = parameters.has(name + "_qkv.weight");
  KeysAndValues all;
  for (const Vector& x : from) {
    const Vector k = bounded(spec,
                             fused ? part(parameters.linear(name + "_qkv", x), queries, keys) : parameters.linear(name + "_k", x));
    Vector v = k;
    if (spec.value_experts) v = routed_values(*spec.value_experts, x, values, name, parameters);
    else if (fused) v = part(parameters.linear(name + "_qkv", x), queries + keys, values);
    else if (parameters.has(name + "_v.weight")) v = parameters.linear(name + "_v", x);
    v = bounded(spec, v);
    if (spec.value_norm)
      for (std::size_t at = 0; at < values; at += spec.value_dim) {
        const Vector head = norm(*spec.value_norm, part(v, at, spec.value_dim), Vector(spec.value_dim, 1));
        std::copy(head.begin(), head.end(), v.begin() + static_cast<std::ptrdiff_t>(at));
      }
    all.k.push_back(normed_and_rotated(k, spec, spec.kv_heads, name + "_k_norm", all.k.size(), divisors, parameters));
    all.v.push_back(std::move(v));
  }
  return all;
}

/// `kept`: the keys and values of each layer so far; the layer's own are added. `bias`: added to a score, by (head, query, key).
/// `encoded`: the encoder's output for cross-attention.
inline Sequence attention(const nn::AttentionSpec& spec, const Sequence& h, const Sequence& encoded, const std::string& layer,
                          std::size_t positions, const std::function<double(std::size_t, std::size_t, std::size_t)>& bias,
                          std::vector<KeysAndValues>& kept, const Parameters& parameters) {
  const std::string name = layer + std::string(spec.name);
  const std::size_t dk = spec.key_dim, dv = spec.value_dim, queries = spec.heads * dk;
  const Vector divide = spec.rope ? divisors(*spec.rope, positions, parameters) : Vector{};
  const bool fused = parameters.has(name + "_qkv.weight");
  const auto project = [&](const Vector& x) {
    return fused ? part(parameters.linear(name + "_qkv", x), 0, queries) : parameters.linear(name + "_q", x);
  };
  const auto [k, v] = spec.keys_of ? kept[*spec.keys_of]
                                   : keys_and_values(spec, spec.cross ? encoded : h, layer, divide, parameters);
  if (!spec.cross) kept.back() = {k, v};
  Sequence out;
  for (std::size_t t = 0; t < h.size(); ++t) {
    Vector raw, gates;  // of each head in turn, where there are gates
    if (spec.gated && !spec.own_gate) {
      const Vector both = parameters.linear(name + "_q", h[t]);
      for (std::size_t i = 0; i < both.size(); ++i) (i % (dk + dv) < dk ? raw : gates).push_back(both[i]);
    } else {
      raw = bounded(spec, project(h[t]));
      if (spec.gated) gates = parameters.linear(name + "_gate", h[t]);
    }
    const Vector q = normed_and_rotated(raw, spec, spec.heads, name + "_q_norm", t, divide, parameters);
    std::vector<std::size_t> seen;
    for (std::size_t s = 0; s < k.size(); ++s)
      if (sees(spec, t, s)) seen.push_back(s);
    Vector mixed;
    for (std::size_t head = 0; head < spec.heads; ++head) {
      const std::size_t kv = head / (spec.heads / spec.kv_heads);
      const Vector query = part(q, head * dk, dk);
      const double sink = spec.sinks ? parameters.values(layer + "attn_sinks.weight")[head] : 0;
      const auto score = [&](std::size_t s) {
        const double scale = spec.scale * temperature(spec, t);
        return capped(scale * dot(query, part(k[s], kv * dk, dk)), spec.softcap) + bias(head, t, s);
      };
      const Vector one = mix(seen, spec.sinks ? &sink : nullptr, score, [&](std::size_t s) { return part(v[s], kv * dv, dv); });
      mixed.insert(mixed.end(), one.begin(), one.end());
    }
    for (std::size_t i = 0; !gates.empty() && i < mixed.size(); ++i)
      mixed[i] *= opened(spec.gate_curve, gates[i / (mixed.size() / gates.size())]);
    if (spec.sub_norm) mixed = norm(*spec.sub_norm, mixed, name, "_sub_norm", parameters);
    out.push_back(parameters.linear(name + "_" + std::string(spec.output), mixed));
  }
  return out;
}

}  // namespace heed::test::naive

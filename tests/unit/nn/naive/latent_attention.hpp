// Multi-head latent attention as arXiv:2405.04434, section 2.1.2, has it: keys and values of every head are computed from
// the latent vector, whichever form the file holds the matrices in.
#pragma once

#include "unit/nn/naive/attention.hpp"

namespace heed::test::naive {

/// The part of a head's key, or its value, that the latent vector c gives.
inline Vector plain_key(const nn::LatentAttentionSpec& spec, const std::string& layer, std::size_t head, const Vector& c,
                        const Parameters& parameters) {
  if (spec.absorbed) return parameters.transposed(layer + "attn_k_b", head, spec.heads, c);
  return part(parameters.linear(layer + "attn_kv_b", head, spec.heads, c), 0, spec.plain_dim);
}
inline Vector value(const nn::LatentAttentionSpec& spec, const std::string& layer, std::size_t head, const Vector& c,
                    const Parameters& parameters) {
  if (spec.absorbed) return parameters.linear(layer + "attn_v_b", head, spec.heads, c);
  return part(parameters.linear(layer + "attn_kv_b", head, spec.heads, c), spec.plain_dim, spec.value_dim);
}

inline Sequence latent_attention(const nn::LatentAttentionSpec& spec, const Sequence& h, const std::string& layer,
                                 std::size_t positions, const Parameters& parameters) {
  const std::size_t key_dim = spec.plain_dim + spec.rope.dims;
  const Vector divide = divisors(spec.rope, positions, parameters);
  std::vector<Sequence> k(spec.heads), v(spec.heads);  // of each head
  Sequence out;
  for (std::size_t t = 0; t < h.size(); ++t) {
    const Vector compressed = parameters.linear(layer + "attn_kv_a_mqa", h[t]);
    const Vector c = norm(spec.norm, part(compressed, 0, spec.latent_dim), layer, "attn_kv_a_norm", parameters);
    Vector rotated = part(compressed, spec.latent_dim, spec.rope.dims);  // one for all heads
    if (spec.rotates) rotate(rotated.data(), spec.rope, t, divide);
    Vector q;
    if (spec.query_rank == 0) q = parameters.linear(layer + "attn_q", h[t]);
    else
      q = parameters.linear(layer + "attn_q_b",
                            norm(spec.norm, parameters.linear(layer + "attn_q_a", h[t]), layer, "attn_q_a_norm", parameters));
    std::vector<std::size_t> seen(t + 1);
    for (std::size_t s = 0; s <= t; ++s) seen[s] = s;
    Vector mixed;
    for (std::size_t head = 0; head < spec.heads; ++head) {
      Vector key = plain_key(spec, layer, head, c, parameters);
      key.insert(key.end(), rotated.begin(), rotated.end());
      k[head].push_back(key);
      v[head].push_back(value(spec, layer, head, c, parameters));
      Vector query = part(q, head * key_dim, key_dim);
      if (spec.rotates) rotate(query.data() + spec.plain_dim, spec.rope, t, divide);
      const Vector one = mix(
          seen, nullptr, [&](std::size_t s) { return spec.scale * dot(query, k[head][s]); },
          [&](std::size_t s) { return v[head][s]; });
      mixed.insert(mixed.end(), one.begin(), one.end());
    }
    out.push_back(parameters.linear(layer + "attn_output", mixed));
  }
  return out;
}

}  // namespace heed::test::naive

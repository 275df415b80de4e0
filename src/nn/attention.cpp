#include "nn/attention.hpp"

#include <array>

namespace heed::nn {

Attention::Attention(const AttentionSpec& spec, std::size_t width, const std::string& name, const Rope* rope,
                     Weights& weights)
    : spec_(spec), rope_(rope) {
  const std::size_t queries = spec.heads * spec.head_dim, keys = spec.kv_heads * spec.head_dim;
  const RowOrder order = spec.rope && spec.rope->pairing == RopePairing::interleaved
                             ? RowOrder::halves_from_interleaved(spec.head_dim, spec.rope->dims)
                             : RowOrder{};
  if (const std::string fused = name + ".attn_qkv"; weights.contains(fused + ".weight")) {
    const std::size_t all = queries + 2 * keys;
    q_proj_ = weights.linear(fused, queries, width, spec.biased, order, {0, all});
    k_proj_ = weights.linear(fused, keys, width, spec.biased, order, {queries, all});
    v_proj_ = weights.linear(fused, keys, width, spec.biased, {}, {queries + keys, all});
  } else {
    q_proj_ = weights.linear(name + ".attn_q", queries, width, spec.biased, order);
    k_proj_ = weights.linear(name + ".attn_k", keys, width, spec.biased, order);
    v_proj_ = weights.linear(name + ".attn_v", keys, width, spec.biased);
  }
  o_proj_ = weights.linear(name + ".attn_output", width, queries, spec.biased);
}

void Attention::operator()(Activations h, Pass& pass) const noexcept {
  Scratch& s = pass.scratch;
  project(h.data, h.tokens, {{&q_proj_, s.q.data()}, {&k_proj_, s.k.data()}, {&v_proj_, s.v.data()}}, pass);
  rotate_and_store(pass);
  attend(pass);
  project(s.mixed.data(), h.tokens, {{&o_proj_, h.data}}, pass);
}

void Attention::rotate_and_store(Pass& pass) const noexcept {
  Scratch& s = pass.scratch;
  pass.pool.parallel_for(pass.tokens.size(), 1, [&](std::size_t begin, std::size_t end, std::size_t) noexcept {
    for (std::size_t t = begin; t < end; ++t) {
      float* q = s.q.data() + t * spec_.heads * spec_.head_dim;
      float* k = s.k.data() + t * spec_.kv_heads * spec_.head_dim;
      const float* v = s.v.data() + t * spec_.kv_heads * spec_.head_dim;
      if (rope_) {
        (*rope_)(q, spec_.heads, spec_.head_dim, t, pass);
        (*rope_)(k, spec_.kv_heads, spec_.head_dim, t, pass);
      }
      for (std::size_t head = 0; head < spec_.kv_heads; ++head)
        pass.kernels.store_kv(pass.cache.head(pass.layer, head), pass.position + t, k + head * spec_.head_dim,
                              v + head * spec_.head_dim);
    }
  });
}

/// One task is one query head of one token: mixed[t][head] = softmax(scale q k) v over positions up to its own.
void Attention::attend(Pass& pass) const noexcept {
  Scratch& s = pass.scratch;
  const std::size_t group = spec_.heads / spec_.kv_heads;
  const std::size_t padded = padded_positions(pass.cache.positions());
  const std::size_t tasks = pass.tokens.size() * spec_.heads;
  pass.pool.parallel_for(tasks, 1, [&](std::size_t begin, std::size_t end, std::size_t thread) noexcept {
    for (std::size_t task = begin; task < end; ++task) {
      const std::size_t t = task / spec_.heads, head = task % spec_.heads, position = pass.position + t;
      float* weights = pass.attention ? pass.attention->row(pass.layer, head, position) : nullptr;
      pass.kernels.attention({.kv = pass.cache.head(pass.layer, head / group),
                              .query = s.q.data() + task * spec_.head_dim,
                              .output = s.mixed.data() + task * spec_.head_dim,
                              .begin = 0,
                              .end = position + 1,
                              .scale = spec_.scale,
                              .scores = s.scores.data() + thread * padded,
                              .weights = weights});
    }
  });
}

}  // namespace heed::nn

#include "nn/latent_attention.hpp"

#include <algorithm>

namespace heed::nn {
namespace {

std::size_t key_dim(const LatentAttentionSpec& spec) noexcept { return spec.plain_dim + spec.rope.dims; }
std::size_t latent_row(const LatentAttentionSpec& spec) noexcept { return spec.latent_dim + spec.rope.dims; }

/// What the heads attend over: the latent vectors, as a single kv head for all; or separate keys and values.
ScaledDotProduct::Shape shape_of(const LatentAttentionSpec& spec) noexcept {
  if (spec.absorbed) return {spec.heads, 1, latent_row(spec), spec.latent_dim};
  return {spec.heads, spec.heads, key_dim(spec), spec.value_dim};
}

RowOrder order_of(const LatentAttentionSpec& spec, std::size_t dim) noexcept {
  if (spec.rope.pairing != RopePairing::interleaved) return {};
  return RowOrder::halves_from_interleaved(dim, dim - spec.rope.dims, spec.rope.dims);
}

}  // namespace

LatentAttention::LatentAttention(const LatentAttentionSpec& spec, std::size_t width, const std::string& name, const Rope* rope,
                                 Weights& weights)
    : spec_(spec),
      rope_(rope),
      kv_down_(weights.linear(name + ".attn_kv_a_mqa", latent_row(spec), width, false, order_of(spec, latent_row(spec)))),
      kv_norm_(spec.norm, spec.latent_dim, name + ".attn_kv_a_norm", weights),
      o_proj_(weights.linear(name + ".attn_output", width, spec.heads * spec.value_dim)),
      attend_(shape_of(spec), {.scale = spec.scale}) {
  const std::size_t queries = spec.heads * key_dim(spec);
  if (spec.query_rank == 0) {
    q_proj_ = weights.linear(name + ".attn_q", queries, width, false, order_of(spec, key_dim(spec)));
  } else {
    q_down_ = weights.linear(name + ".attn_q_a", spec.query_rank, width);
    q_norm_.emplace(spec.norm, spec.query_rank, name + ".attn_q_a_norm", weights);
    q_proj_ = weights.linear(name + ".attn_q_b", queries, spec.query_rank, false, order_of(spec, key_dim(spec)));
  }
  if (spec.absorbed) {
    k_up_ = weights.linears(name + ".attn_k_b", spec.heads, spec.latent_dim, spec.plain_dim);
    v_up_ = weights.linears(name + ".attn_v_b", spec.heads, spec.value_dim, spec.latent_dim);
  } else {
    kv_up_ = weights.linear(name + ".attn_kv_b", spec.heads * (spec.plain_dim + spec.value_dim), spec.latent_dim);
  }
}

BlockTraits LatentAttention::traits(const LatentAttentionSpec& spec, std::size_t /*width*/) noexcept {
  const auto shape = shape_of(spec);
  return {.cache = {.kv_heads = shape.kv_heads,
                    .key_dim = shape.key_dim,
                    .value_dim = shape.value_dim,
                    .rotated = !spec.absorbed},  // latent vectors are normed, and are both keys and values
          .heads = {spec.heads, spec.value_dim, shape.value_dim, shape.kv_heads, shape.key_dim},
          .rope = spec.rotates ? &spec.rope : nullptr,
          .out = Point::attention};
}

ScratchNeed LatentAttention::need(const LatentAttentionSpec& spec, const PassLimits& limits) noexcept {
  const std::uint64_t t = limits.tokens, rows = t * spec.heads;
  const std::size_t widest = std::max({spec.plain_dim, spec.latent_dim, spec.value_dim});
  ScratchNeed attending = ScaledDotProduct::need(shape_of(spec), limits);
  if (spec.absorbed) attending.allocate<float>(rows * latent_row(spec)).allocate<float>(rows * spec.latent_dim);
  else
    attending.allocate<float>(t * spec.latent_dim)
        .allocate<float>(rows * (spec.plain_dim + spec.value_dim))
        .allocate<float>(rows * key_dim(spec))
        .allocate<float>(rows * spec.value_dim);
  ScratchNeed per_head;
  per_head.allocate<float>(rows * widest).allocate<float>(rows * widest).allocate<Product>(spec.heads);
  ScratchNeed queries;
  queries.allocate<float>(t * spec.query_rank);
  return ScratchNeed()
      .allocate<float>(rows * key_dim(spec))
      .allocate<float>(t * latent_row(spec))
      .allocate<float>(rows * spec.value_dim)
      .product(t, static_cast<std::size_t>(limits.width))
      .product(t, spec.query_rank)
      .product(rows, widest)
      .with(attending.with(per_head).either(queries));
}

void LatentAttention::operator()(Activations h, Pass& pass) const noexcept {
  const Scratch::Scope scope(pass.scratch);
  const std::size_t row = latent_row(spec_);
  float* q = pass.scratch.allocate<float>(h.tokens * spec_.heads * key_dim(spec_));
  float* latents = pass.scratch.allocate<float>(h.tokens * row);  // T x (latent_dim + rotated)
  float* mixed = pass.scratch.allocate<float>(h.tokens * spec_.heads * spec_.value_dim);

  project_queries(h, q, pass);
  project(h.data, h.tokens, {{&kv_down_, latents}}, pass);
  pass.pool.parallel_for(h.tokens, 1, [&](std::size_t begin, std::size_t end, std::size_t) noexcept {
    for (std::size_t t = begin; t < end; ++t) {
      float* latent = latents + t * row;
      kv_norm_.apply(latent, spec_.latent_dim, latent, pass);
      if (!rope_) continue;
      (*rope_)(latent + spec_.latent_dim, 1, row, t, pass);
      (*rope_)(q + t * spec_.heads * key_dim(spec_) + spec_.plain_dim, spec_.heads, key_dim(spec_), t, pass);
    }
  });
  if (spec_.absorbed) attend_absorbed(q, latents, mixed, h.tokens, pass);
  else attend_plain(q, latents, mixed, h.tokens, pass);
  pass.visit({Point::head, pass.layer}, mixed, spec_.heads, spec_.value_dim);
  project(mixed, h.tokens, {{&o_proj_, h.data}}, pass);
}

void LatentAttention::project_queries(Activations h, float* q, Pass& pass) const noexcept {
  if (!q_down_) return project(h.data, h.tokens, {{&q_proj_, q}}, pass);
  const Scratch::Scope scope(pass.scratch);
  const Activations low{pass.scratch.allocate<float>(h.tokens * spec_.query_rank), h.tokens, spec_.query_rank};
  project(h.data, h.tokens, {{&*q_down_, low.data}}, pass);
  (*q_norm_)(low, low.data, pass);
  project(low.data, h.tokens, {{&q_proj_, q}}, pass);
}

void LatentAttention::attend_plain(float* q, float* latents, float* mixed, std::size_t tokens, Pass& pass) const noexcept {
  const Scratch::Scope scope(pass.scratch);
  const std::size_t heads = spec_.heads, plain = spec_.plain_dim, value = spec_.value_dim, key = key_dim(spec_);
  const std::size_t row = latent_row(spec_);
  const bool in_order = pass.stores_in_order();
  float* compact = pass.scratch.allocate<float>(tokens * spec_.latent_dim);
  float* both = pass.scratch.allocate<float>(tokens * heads * (plain + value));
  float* keys = pass.scratch.allocate<float>(tokens * heads * key);
  float* values = pass.scratch.allocate<float>(tokens * heads * value);
  for (std::size_t t = 0; t < tokens; ++t) std::copy_n(latents + t * row, spec_.latent_dim, compact + t * spec_.latent_dim);
  project(compact, tokens, {{&kv_up_, both}}, pass);
  pass.pool.parallel_for(tokens, 1, [&](std::size_t begin, std::size_t end, std::size_t) noexcept {
    for (std::size_t t = begin; t < end; ++t) {
      const float* rotated = latents + t * row + spec_.latent_dim;
      for (std::size_t i = t * heads; i < (t + 1) * heads; ++i) {
        std::copy_n(both + i * (plain + value), plain, keys + i * key);
        std::copy_n(rotated, spec_.rope.dims, keys + i * key + plain);
        std::copy_n(both + i * (plain + value) + plain, value, values + i * value);
      }
      if (!in_order)
        pass.of(t).cache.store(pass.layer, pass.position(t), keys + t * heads * key, values + t * heads * value, pass.kernels);
    }
  });
  if (in_order) pass.store_in_order(keys, values);
  attend_({q, mixed}, pass);
}

void LatentAttention::attend_absorbed(float* q, float* latents, float* mixed, std::size_t tokens, Pass& pass) const noexcept {
  const Scratch::Scope scope(pass.scratch);
  const std::size_t heads = spec_.heads, row = latent_row(spec_), key = key_dim(spec_);
  float* queries = pass.scratch.allocate<float>(tokens * heads * row);
  float* seen = pass.scratch.allocate<float>(tokens * heads * spec_.latent_dim);
  per_head(k_up_, q, key, queries, row, tokens, pass);
  for (std::size_t i = 0; i < tokens * heads; ++i)
    std::copy_n(q + i * key + spec_.plain_dim, spec_.rope.dims, queries + i * row + spec_.latent_dim);
  for (std::size_t t = 0; t < tokens; ++t)
    pass.of(t).cache.store(pass.layer, pass.position(t), latents + t * row, latents + t * row, pass.kernels);
  attend_({queries, seen}, pass);
  per_head(v_up_, seen, spec_.latent_dim, mixed, spec_.value_dim, tokens, pass);
}

/// out[t][head] = linears[head] x[t][head], where a head's row begins every `stride` floats.
void LatentAttention::per_head(const std::vector<Linear>& linears, const float* x, std::size_t stride, float* out,
                               std::size_t out_stride, std::size_t tokens, Pass& pass) const noexcept {
  const Scratch::Scope scope(pass.scratch);
  const std::size_t heads = spec_.heads, columns = linears[0].matrix.columns, rows = linears[0].matrix.rows;
  float* inputs = pass.scratch.allocate<float>(heads * tokens * columns);  // [head][T][columns]
  float* outputs = pass.scratch.allocate<float>(heads * tokens * rows);
  Product* products = pass.scratch.allocate<Product>(heads);
  for (std::size_t h = 0; h < heads; ++h) {
    for (std::size_t t = 0; t < tokens; ++t)
      std::copy_n(x + (t * heads + h) * stride, columns, inputs + (h * tokens + t) * columns);
    products[h] = {&linears[h], inputs + h * tokens * columns, tokens, outputs + h * tokens * rows};
  }
  multiply({products, heads}, pass);
  for (std::size_t h = 0; h < heads; ++h)
    for (std::size_t t = 0; t < tokens; ++t)
      std::copy_n(outputs + (h * tokens + t) * rows, rows, out + (t * heads + h) * out_stride);
}

}  // namespace heed::nn

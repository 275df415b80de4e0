#include "nn/attention.hpp"

#include <algorithm>

#include "base/deterministic_math.hpp"
#include "nn/mlp.hpp"

namespace heed::nn {
namespace {

constexpr std::size_t kEncodedRows = 256;  // rows of an encoder's output that are projected at a time
constexpr std::size_t kStoredRows = 16;    // rows that a thread stores at a time

ScaledDotProduct::Shape shape_of(const AttentionSpec& spec) noexcept {
  return {spec.heads, spec.kv_heads, spec.key_dim, spec.value_dim};
}

/// The row order of queries and keys.
RowOrder row_order(const AttentionSpec& spec) {
  if (!spec.rope || spec.rope->pairing == RopePairing::halves) return {};
  if (spec.rope->pairing == RopePairing::quarters) return RowOrder::halves_from_quarters(spec.key_dim, spec.rope->dims);
  return RowOrder::halves_from_interleaved(spec.key_dim, 0, spec.rope->dims);
}

/// Whether queries and keys are normalized before they are rotated.
bool norms_first(const AttentionSpec& spec) noexcept { return spec.qk_norm && !spec.qk_norm->after_rope; }

/// The factor that queries at `position` are multiplied by.
float temperature(const AttentionSpec& spec, std::size_t position) noexcept {
  const std::size_t period = (position + spec.temperature_offset) / spec.temperature_period + 1;
  return static_cast<float>(1.0 + static_cast<double>(spec.temperature) * deterministic_log(static_cast<double>(period)));
}

/// Clamps the outputs of a matrix to [-most, most]. Does nothing for an absent matrix.
void bound(Linear& linear, float most) {
  if (linear.storage.empty()) return;
  if (!linear.clamp) linear.clamp = std::make_unique<Clamp>();
  linear.clamp->output_min = Buffer<float>(1);
  linear.clamp->output_max = Buffer<float>(1);
  linear.clamp->output_min[0] = -most;
  linear.clamp->output_max[0] = most;
}

}  // namespace

Attention::Attention(const AttentionSpec& spec, std::size_t model_width, const std::string& layer, const Rope* rope,
                     Weights& weights)
    : spec_(spec),
      rope_(rope),
      sinks_(spec.sinks ? weights.vector(layer + ".attn_sinks.weight", spec.heads) : Buffer<float>()),
      attend_(shape_of(spec), {.scale = spec.scale,
                               .softcap = spec.softcap,
                               .mask = {spec.mask, spec.window, spec.chunked, spec.whole_tiles},
                               .sinks = sinks_.data(),
                               .keys_of = spec.keys_of}) {
  const std::size_t width = spec.input != 0 ? spec.input : model_width;
  const std::string name = layer + "." + std::string(spec.name);
  const std::size_t queries = spec.heads * spec.key_dim, keys = spec.kv_heads * spec.key_dim;
  const std::size_t values = spec.kv_heads * spec.value_dim;
  const RowOrder order = row_order(spec);
  const bool gates_in_q = spec.gated && !spec.own_gate;
  if (spec.keys_of) {
    q_proj_ = weights.linear(name + "_q", queries, width, spec.biased, order);
    for (const char* unused : {"_k.", "_v.", "_k_norm."}) weights.ignore(name + unused);  // in some files, unused
  } else if (const std::string fused = name + "_qkv"; !gates_in_q && weights.contains(fused + ".weight")) {
    const std::size_t all = queries + keys + values;
    q_proj_ = weights.linear(fused, queries, width, spec.biased, order, {0, all});
    k_proj_ = weights.linear(fused, keys, width, spec.biased, order, {queries, all});
    v_proj_ = weights.linear(fused, values, width, spec.biased, {}, {queries + keys, all});
  } else {
    if (gates_in_q) {
      const std::size_t gates = spec.heads * spec.value_dim, both = queries + gates, head = spec.key_dim + spec.value_dim;
      q_proj_ = weights.linear(name + "_q", queries, width, false, order, {0, both, spec.key_dim, head});
      gate_proj_ = weights.linear(name + "_q", gates, width, false, {}, {spec.key_dim, both, spec.value_dim, head});
    } else {
      q_proj_ = weights.linear(name + "_q", queries, width, spec.biased, order);
    }
    k_proj_ = weights.linear(name + "_k", keys, width, spec.biased, order);
    const bool may_lack = spec.keys_as_values && spec.key_dim == spec.value_dim;
    if (spec.value_experts) routed_values_.emplace(*spec.value_experts, width, values, name, weights);
    else if (!may_lack || weights.contains(name + "_v.weight")) v_proj_ = weights.linear(name + "_v", values, width, spec.biased);
  }
  if (spec.own_gate) {
    const bool of_heads = weights.rows(name + "_gate.weight") == spec.heads;
    gate_proj_ = weights.linear(name + "_gate", of_heads ? spec.heads : spec.heads * spec.value_dim, width);
  }
  if (spec.clamp != 0)
    for (Linear* linear : {&q_proj_, &k_proj_, &v_proj_}) bound(*linear, spec.clamp);
  q_norm_ = qk_norm(name + "_q_norm", spec.heads, order, weights);
  if (!spec.keys_of) k_norm_ = qk_norm(name + "_k_norm", spec.kv_heads, order, weights);
  if (!spec.keys_of && spec.value_norm) v_norm_.emplace(*spec.value_norm, spec.value_dim);
  if (spec.sub_norm) sub_norm_.emplace(*spec.sub_norm, spec.heads * spec.value_dim, name + "_sub_norm", weights);
  o_proj_ = weights.linear(name + "_" + std::string(spec.output), model_width, spec.heads * spec.value_dim, spec.biased);
}

ScratchNeed Attention::need(const AttentionSpec& spec, const PassLimits& limits) noexcept {
  const std::uint64_t t = spec.cross
                              ? std::max<std::uint64_t>(limits.tokens, std::min<std::uint64_t>(limits.positions, kEncodedRows))
                              : limits.tokens;
  ScratchNeed need = ScaledDotProduct::need(shape_of(spec), limits);
  need.allocate<float>(t * spec.heads * spec.key_dim).allocate<float>(t * spec.heads * spec.value_dim);
  need.allocate<float>(t * spec.kv_heads * spec.key_dim).allocate<float>(t * spec.kv_heads * spec.value_dim);
  if (spec.gated) need.allocate<float>(t * spec.heads * spec.value_dim);
  need.clamps = spec.clamp != 0;
  if (spec.value_experts) need.with(RoutedValues::need(*spec.value_experts, spec.kv_heads * spec.value_dim, limits));
  return need.product(t, std::max(static_cast<std::size_t>(limits.width), spec.input)).product(t, spec.heads * spec.value_dim);
}

BlockTraits Attention::traits(const AttentionSpec& spec, std::size_t /*width*/) noexcept {
  BlockTraits traits{.rope = spec.rope ? &*spec.rope : nullptr,
                     .out = Point::attention,
                     .shows_gate = spec.gated && !spec.own_gate,
                     .shows_gated = !spec.cross && (spec.gated || spec.sub_norm)};
  (spec.cross ? traits.cross_heads : traits.heads) = {spec.heads,    spec.value_dim, spec.value_dim,
                                                      spec.kv_heads, spec.key_dim,   spec.gated || spec.sub_norm,
                                                      !spec.cross,   !spec.keys_of,  norms_first(spec)};
  if (spec.keys_of) return traits;
  const std::size_t window = spec.mask == Mask::causal ? spec.window : 0;  // without a mask, everything is cached
  (spec.cross ? traits.cross_cache
              : traits.cache) = {.kv_heads = spec.kv_heads, .key_dim = spec.key_dim, .value_dim = spec.value_dim, .window = window};
  return traits;
}

void Attention::operator()(Activations h, Pass& pass) const noexcept {
  const Scratch::Scope scope(pass.scratch);
  float* q = pass.scratch.allocate<float>(h.tokens * spec_.heads * spec_.key_dim);
  float* mixed = pass.scratch.allocate<float>(h.tokens * spec_.heads * spec_.value_dim);
  if (spec_.cross) {
    project(h.data, h.tokens, {{&q_proj_, q}}, pass);
    attend_({q, mixed, true}, pass);
    pass.visit({Point::head, pass.layer, true}, mixed, spec_.heads, spec_.value_dim);
  } else {
    float* gate = spec_.gated ? pass.scratch.allocate<float>(h.tokens * spec_.heads * spec_.value_dim) : nullptr;
    project_own(h, q, gate, pass);
    attend_({q, mixed}, pass);
    pass.visit({Point::head, pass.layer}, mixed, spec_.heads, spec_.value_dim);
    if (gate) mixed = apply_gate(gate, mixed, h.tokens, pass);
    if (sub_norm_) (*sub_norm_)({mixed, h.tokens, spec_.heads * spec_.value_dim}, mixed, pass);
    if (gate || sub_norm_) pass.visit({Point::gated, pass.layer}, mixed, spec_.heads, spec_.value_dim);
  }
  project(mixed, h.tokens, {{&o_proj_, h.data}}, pass);
}

/// Multiplies the heads' outputs by their gates. Returns the product: `gate` or `mixed`, overwritten.
float* Attention::apply_gate(float* gate, float* mixed, std::size_t tokens, Pass& pass) const noexcept {
  const std::size_t gates = gate_proj_.matrix.rows, values = spec_.heads * spec_.value_dim;
  if (spec_.gate_curve == GateCurve::sigmoid && gates == values) {
    activate(kernels::Activation::sigmoid, gate, mixed, tokens * values, pass);
    return gate;
  }
  const std::size_t share = values / gates;  // number of values per gate
  const double unit = spec_.gate_curve == GateCurve::softplus2 ? deterministic_log(2.0) : 1.0;
  pass.pool.parallel_for(tokens, 1, [&](std::size_t begin, std::size_t end, std::size_t) noexcept {
    if (spec_.gate_curve == GateCurve::sigmoid)
      pass.kernels.activate(kernels::Activation::sigmoid, gate + begin * gates, nullptr, (end - begin) * gates);
    for (std::size_t i = begin * gates; i < end * gates; ++i) {
      const auto opened = spec_.gate_curve == GateCurve::sigmoid
                              ? gate[i]
                              : static_cast<float>(deterministic_softplus(static_cast<double>(gate[i]) * unit) / unit);
      for (std::size_t k = i * share; k < (i + 1) * share; ++k) mixed[k] *= opened;
    }
  });
  return mixed;
}

void Attention::cache_encoder_output(Activations encoded, Pass& pass) const noexcept {
  if (!spec_.cross) return;
  const Scratch::Scope scope(pass.scratch);
  const std::size_t keys = spec_.kv_heads * spec_.key_dim, values = spec_.kv_heads * spec_.value_dim;
  float* k = pass.scratch.allocate<float>(std::min(kEncodedRows, encoded.tokens) * keys);
  float* v = pass.scratch.allocate<float>(std::min(kEncodedRows, encoded.tokens) * values);
  for (std::size_t begin = 0; begin < encoded.tokens; begin += kEncodedRows) {
    const std::size_t rows = std::min(kEncodedRows, encoded.tokens - begin);
    project(encoded.data + begin * encoded.width, rows, {{&k_proj_, k}, {&v_proj_, v}}, pass);
    const KvCache& cache = *pass.segments[0].cross_cache;
    pass.pool.parallel_for(rows, cache.in_order() ? rows : kStoredRows,
                           [&](std::size_t from, std::size_t to, std::size_t) noexcept {
                             for (std::size_t t = from; t < to; ++t)
                               cache.store(pass.layer, begin + t, k + t * keys, v + t * values, pass.kernels);
                           });
  }
}

void Attention::remember(Activations h, Pass& pass) const noexcept {
  const Scratch::Scope scope(pass.scratch);
  float* k = pass.scratch.allocate<float>(h.tokens * spec_.kv_heads * spec_.key_dim);
  float* v = pass.scratch.allocate<float>(h.tokens * spec_.kv_heads * spec_.value_dim);
  if (v_proj_.storage.empty()) project(h.data, h.tokens, {{&k_proj_, k}}, pass);
  else project(h.data, h.tokens, {{&k_proj_, k}, {&v_proj_, v}}, pass);
  if (routed_values_) (*routed_values_)(h, v, pass);
  norm_rotate_and_store(nullptr, k, v, pass);
}

void Attention::recall(Activations h, Pass& pass) const noexcept {
  const Scratch::Scope scope(pass.scratch);
  float* q = pass.scratch.allocate<float>(h.tokens * spec_.heads * spec_.key_dim);
  float* mixed = pass.scratch.allocate<float>(h.tokens * spec_.heads * spec_.value_dim);
  project(h.data, h.tokens, {{&q_proj_, q}}, pass);
  norm_rotate_and_store(q, nullptr, nullptr, pass);
  attend_({q, mixed, true}, pass);
  project(mixed, h.tokens, {{&o_proj_, h.data}}, pass);
}

/// Projects queries and their gates; keys and values, unless they belong to another layer, go to the cache.
void Attention::project_own(Activations h, float* q, float* gate, Pass& pass) const noexcept {
  const Scratch::Scope scope(pass.scratch);
  float *k = nullptr, *v = nullptr;
  if (spec_.keys_of) {
    project(h.data, h.tokens, {{&q_proj_, q}}, pass);
  } else {
    k = pass.scratch.allocate<float>(h.tokens * spec_.kv_heads * spec_.key_dim);
    v = pass.scratch.allocate<float>(h.tokens * spec_.kv_heads * spec_.value_dim);
    if (routed_values_) {
      if (gate) project(h.data, h.tokens, {{&q_proj_, q}, {&gate_proj_, gate}, {&k_proj_, k}}, pass);
      else project(h.data, h.tokens, {{&q_proj_, q}, {&k_proj_, k}}, pass);
      (*routed_values_)(h, v, pass);
    } else if (v_proj_.storage.empty()) {
      project(h.data, h.tokens, {{&q_proj_, q}, {&k_proj_, k}}, pass);
      std::copy_n(k, h.tokens * spec_.kv_heads * spec_.key_dim, v);
    } else if (gate) project(h.data, h.tokens, {{&q_proj_, q}, {&gate_proj_, gate}, {&k_proj_, k}, {&v_proj_, v}}, pass);
    else project(h.data, h.tokens, {{&q_proj_, q}, {&k_proj_, k}, {&v_proj_, v}}, pass);
  }
  pass.visit({Point::raw_query, pass.layer}, q, spec_.heads, spec_.key_dim);
  if (k) {
    pass.visit({Point::raw_key, pass.layer}, k, spec_.kv_heads, spec_.key_dim);
    pass.visit({Point::raw_value, pass.layer}, v, spec_.kv_heads, spec_.value_dim);
  }
  if (gate && !spec_.own_gate) pass.visit({Point::gate, pass.layer}, gate, spec_.heads, spec_.value_dim);
  norm_rotate_and_store(q, k, v, pass);
}

/// For all tokens: normalizes and rotates queries and keys, and stores keys and values. `queries` or `keys` may be nullptr.
void Attention::norm_rotate_and_store(float* queries, float* keys, float* values, Pass& pass) const noexcept {
  const bool in_order = pass.stores_in_order();
  pass.pool.parallel_for(pass.tokens, 1, [&](std::size_t begin, std::size_t end, std::size_t) noexcept {
    for (std::size_t t = begin; t < end; ++t) {
      if (queries) {
        float* q = queries + t * spec_.heads * spec_.key_dim;
        norm_and_rotate(q, spec_.heads, q_norm_, Point::normed_query, t, pass);
        if (spec_.temperature != 0) pass.kernels.scale(q, temperature(spec_, pass.position(t)), spec_.heads * spec_.key_dim);
      }
      if (!keys) continue;
      float* const k = keys + t * spec_.kv_heads * spec_.key_dim;
      float* const v = values + t * spec_.kv_heads * spec_.value_dim;
      prepare(t, k, v, pass);
      if (!in_order) pass.of(t).cache.store(pass.layer, pass.position(t), k, v, pass.kernels);
    }
  });
  if (keys && in_order) pass.store_in_order(keys, values);
}

/// Normalizes and rotates the keys of token t, and normalizes its values.
void Attention::prepare(std::size_t t, float* k, float* v, Pass& pass) const noexcept {
  if (v_norm_)
    for (std::size_t head = 0; head < spec_.kv_heads; ++head)
      v_norm_->apply(v + head * spec_.value_dim, spec_.value_dim, v + head * spec_.value_dim, pass);
  norm_and_rotate(k, spec_.kv_heads, k_norm_, Point::normed_key, t, pass);
}

/// The norm of queries or keys for `heads` heads; empty if it is optional and the file lacks it.
Attention::QkNorm Attention::qk_norm(const std::string& name, std::size_t heads, RowOrder order, Weights& weights) const {
  const std::string weight = name + ".weight", bias = name + ".bias";
  if (!spec_.qk_norm) return {};
  if (!spec_.qk_norm->norm.weighted || spec_.qk_norm->span == QkNormSpan::head_factor) {
    QkNorm norm{Buffer<float>(spec_.key_dim), {}, {}};
    std::fill_n(norm.weight.data(), spec_.key_dim, 1.0f);
    if (spec_.qk_norm->norm.weighted && name.ends_with("_q_norm")) norm.factors = weights.table(weight, heads, 1);
    return norm;
  }
  if (spec_.qk_norm->optional && !weights.contains(weight)) return {};
  const QkNormSpan span = spec_.qk_norm->span;
  if (span == QkNormSpan::each_head && weights.rows(weight) != 1)
    return {weights.table(weight, heads, spec_.key_dim, order), {}, {}};
  const std::size_t size = span == QkNormSpan::head ? spec_.key_dim : heads * spec_.key_dim;
  const bool biased = spec_.qk_norm->norm.kind == NormKind::layer;
  return {weights.vector(weight, size, order), biased ? weights.optional_vector(bias, size, order) : Buffer<float>(), {}};
}

/// Normalizes and rotates all heads of token t, queries or keys.
void Attention::norm_and_rotate(float* x, std::size_t heads, const QkNorm& norm, Point normed, std::size_t t,
                                Pass& pass) const noexcept {
  const bool first = norms_first(spec_);
  if (first) {
    normalize(x, heads, norm, pass);
    pass.visit_parts({normed, pass.layer}, t, x, heads, spec_.key_dim);
  }
  if (rope_) (*rope_)(x, heads, spec_.key_dim, t, pass);
  if (!first) normalize(x, heads, norm, pass);
}

void Attention::normalize(float* x, std::size_t heads, const QkNorm& norm, Pass& pass) const noexcept {
  if (norm.weight.empty()) return;
  const QkNormSpec& spec = *spec_.qk_norm;
  const bool together = spec.span == QkNormSpan::all_heads;
  const std::size_t n = together ? heads * spec_.key_dim : spec_.key_dim;
  for (std::size_t at = 0; at < heads * spec_.key_dim; at += n) {
    const float* w = norm.weight.data() + at % norm.weight.size();
    if (spec.norm.kind == NormKind::rms) pass.kernels.rms_norm(x + at, w, spec.norm.epsilon, n, x + at);
    else pass.kernels.layer_norm(x + at, w, norm.bias.data(), spec.norm.epsilon, n, x + at);
    if (!norm.factors.empty()) pass.kernels.scale(x + at, norm.factors[at / n], n);
  }
}

}  // namespace heed::nn

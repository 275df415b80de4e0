#include "nn/rwkv.hpp"

#include <algorithm>
#include <cmath>

#include "base/deterministic_math.hpp"
#include "nn/mlp.hpp"
#include "nn/token_shift.hpp"

namespace heed::nn {
namespace {

using kernels::Activation;

constexpr float kHeadEpsilon = 64e-5f;  // of the norms of heads, whatever the file says
constexpr double kSlowest = -0.606531;  // -e^-0.5: the decay factors of RWKV 7 are above e^kSlowest
constexpr float kShortest = 1e-12f;     // lower bound of the length that a key is divided by

std::size_t heads_of(const RwkvTimeMixSpec& spec, std::size_t width) noexcept { return width / spec.head_dim; }
std::size_t mixtures(const RwkvTimeMixSpec& spec) noexcept { return spec.version == 6 || spec.gate_rank == 0 ? 5 : 6; }
/// The index of each matrix among the token-shift shares of a file.
struct Order {
  std::size_t r, w, k, v, a, g;
};
constexpr Order kOrder6{.r = 3, .w = 0, .k = 1, .v = 2, .a = 0, .g = 4}, kOrder7{.r = 0, .w = 1, .k = 2, .v = 3, .a = 4, .g = 5};

float logistic(float x) noexcept { return static_cast<float>(1.0 / (1.0 + deterministic_exp(-static_cast<double>(x)))); }

}  // namespace

RwkvTimeMix::LowRank RwkvTimeMix::low_rank(const std::string& name, std::size_t rank, std::size_t width, bool biased,
                                           Weights& weights) const {
  LowRank low{weights.linear(name + "1", rank, width), weights.linear(name + "2", width, rank), {}};
  if (biased) low.bias = weights.vector(name + "0.weight", width);
  return low;
}

RwkvTimeMix::RwkvTimeMix(const RwkvTimeMixSpec& spec, std::size_t width, const std::string& layer, Weights& weights)
    : spec_(spec), ones_(spec.head_dim) {
  const std::string name = layer + ".time_mix_";
  std::fill_n(ones_.data(), spec.head_dim, 1.0f);
  shares_ = weights.table(name + "lerp_fused.weight", mixtures(spec), width);
  r_proj_ = weights.linear(name + "receptance", width, width);
  k_proj_ = weights.linear(name + "key", width, width);
  v_proj_ = weights.linear(name + "value", width, width);
  o_proj_ = weights.linear(name + "output", width, width);
  if (spec.version == 6 || weights.contains(name + "ln.weight")) {
    norm_ = weights.vector(name + "ln.weight", width);
    norm_bias_ = weights.vector(name + "ln.bias", width);
  }
  if (spec.version == 6) {
    share_x_ = weights.vector(name + "lerp_x.weight", width);
    mix_down_ = weights.linear(name + "w1", 5 * spec.mix_rank, width);
    mix_up_ = weights.linears(name + "w2", 5, width, spec.mix_rank);
    decay_ = low_rank(name + "decay_w", spec.decay_rank, width, false, weights);
    decay_.bias = weights.vector(name + "decay.weight", width);
    g_proj_ = weights.linear(name + "gate", width, width);
    first_ = weights.table(name + "first.weight", heads_of(spec, width), spec.head_dim);
    return;
  }
  decay_ = low_rank(name + "w", spec.decay_rank, width, true, weights);
  rate_ = low_rank(name + "a", spec.rate_rank, width, true, weights);
  if (spec.first) {
    for (const char* unused : {"v0.", "v1.", "v2."}) weights.ignore(name + unused);
  } else {
    value_ = low_rank(name + "v", spec.value_rank, width, true, weights);
  }
  if (spec.gate_rank != 0) gate_ = low_rank(name + "g", spec.gate_rank, width, false, weights);
  k_k_ = weights.vector(name + "k_k.weight", width);
  k_a_ = weights.vector(name + "k_a.weight", width);
  r_k_ = weights.vector(name + "r_k.weight", width);
}

ScratchNeed RwkvTimeMix::need(const RwkvTimeMixSpec& spec, const PassLimits& limits) noexcept {
  const std::uint64_t rows = limits.tokens * limits.width;
  const std::size_t rank = std::max({5 * spec.mix_rank, spec.decay_rank, spec.rate_rank, spec.value_rank, spec.gate_rank});
  ScratchNeed need;
  for (int i = 0; i < 1 + 6 + 6 + 1; ++i) need.allocate<float>(rows);  // change, inputs, rows, out
  need.allocate<float>(limits.tokens * rank).allocate<float>(limits.tokens * rank).allocate<Product>(5);
  return need.product(limits.tokens, static_cast<std::size_t>(limits.width)).product(5 * limits.tokens, rank);
}

BlockTraits RwkvTimeMix::traits(const RwkvTimeMixSpec& spec, std::size_t width) noexcept {
  return {.cache = {.state = width + width * spec.head_dim},
          .keeps_first_values = spec.version == 7,
          .recurrent = {.heads = heads_of(spec, width), .decays = spec.head_dim, .writes = spec.version == 7 ? spec.head_dim : 1}};
}

void RwkvTimeMix::run_low_rank(const LowRank& low, const float* x, std::size_t tokens, std::optional<Activation> f, float* out,
                               Pass& pass) const noexcept {
  const Scratch::Scope scope(pass.scratch);
  const std::size_t rank = low.down.matrix.rows, width = low.up.matrix.rows;
  float* narrow = pass.scratch.allocate<float>(tokens * rank);
  project(x, tokens, {{&low.down, narrow}}, pass);
  if (f) pass.kernels.activate(*f, narrow, nullptr, tokens * rank);
  project(narrow, tokens, {{&low.up, out}}, pass);
  for (std::size_t t = 0; !low.bias.empty() && t < tokens; ++t) pass.kernels.add(out + t * width, low.bias.data(), width);
}

/// Computes the input of each matrix, T x D: a mixture of each row and the one before. In RWKV 6, the share depends on the token.
void RwkvTimeMix::mix_inputs(Activations y, const float* change, float* const* inputs, Pass& pass) const noexcept {
  const std::size_t count = mixtures(spec_), all = y.tokens * y.width;
  if (spec_.version == 7) {
    for (std::size_t i = 0; i < count; ++i) mix_shifted(y, change, shares_.data() + i * y.width, inputs[i]);
    return;
  }
  const Scratch::Scope scope(pass.scratch);
  const std::size_t rank = spec_.mix_rank;
  float* narrow = pass.scratch.allocate<float>(y.tokens * 5 * rank);
  float* apart = pass.scratch.allocate<float>(y.tokens * 5 * rank);  // [5][T][E]
  Product* products = pass.scratch.allocate<Product>(5);
  mix_shifted(y, change, share_x_.data(), inputs[0]);
  project(inputs[0], y.tokens, {{&mix_down_, narrow}}, pass);
  pass.kernels.softcap(narrow, 1.0f, y.tokens * 5 * rank);  // tanh
  for (std::size_t i = 0; i < 5; ++i) {
    for (std::size_t t = 0; t < y.tokens; ++t) std::copy_n(narrow + (t * 5 + i) * rank, rank, apart + (i * y.tokens + t) * rank);
    products[i] = {&mix_up_[i], apart + i * y.tokens * rank, y.tokens, inputs[i]};
  }
  multiply({products, 5}, pass);
  for (std::size_t i = 0; i < 5; ++i)
    for (std::size_t k = 0; k < all; ++k)
      inputs[i][k] = y.data[k] + change[k] * (shares_[i * y.width + k % y.width] + inputs[i][k]);
}

void RwkvTimeMix::operator()(Activations h, Pass& pass) const noexcept {
  const Scratch::Scope scope(pass.scratch);
  const std::size_t all = h.tokens * h.width, heads = heads_of(spec_, h.width);
  float* change = pass.scratch.allocate<float>(all);
  float* inputs[6];
  for (float*& input : inputs) input = pass.scratch.allocate<float>(all);
  float* made[6];
  for (float*& row : made) row = pass.scratch.allocate<float>(all);
  const Rows rows{made[0], made[1], made[2], made[3], made[4], made[5]};
  float* out = pass.scratch.allocate<float>(all);
  shift_tokens(h, spec_.state_offset, change, pass);
  mix_inputs(h, change, inputs, pass);
  const bool old = spec_.version == 6;
  const Order order = old ? kOrder6 : kOrder7;
  project(inputs[order.r], h.tokens, {{&r_proj_, rows.r}}, pass);
  project(inputs[order.k], h.tokens, {{&k_proj_, rows.k}}, pass);
  project(inputs[order.v], h.tokens, {{&v_proj_, rows.v}}, pass);
  if (old) {
    project(inputs[order.g], h.tokens, {{&g_proj_, rows.g}}, pass);
    pass.kernels.activate(Activation::silu, rows.g, nullptr, all);
  } else if (spec_.gate_rank != 0) {
    run_low_rank(gate_, inputs[order.g], h.tokens, Activation::sigmoid, rows.g, pass);
  }
  {  // as run_low_rank(), with tanh in between
    const Scratch::Scope narrow_scope(pass.scratch);
    const std::size_t rank = decay_.down.matrix.rows;
    float* narrow = pass.scratch.allocate<float>(h.tokens * rank);
    project(inputs[order.w], h.tokens, {{&decay_.down, narrow}}, pass);
    pass.kernels.softcap(narrow, 1.0f, h.tokens * rank);
    project(narrow, h.tokens, {{&decay_.up, rows.w}}, pass);
    for (std::size_t t = 0; t < h.tokens; ++t) pass.kernels.add(rows.w + t * h.width, decay_.bias.data(), h.width);
  }
  for (std::size_t i = 0; i < all; ++i) {
    const auto w = static_cast<double>(rows.w[i]);
    rows.w[i] = static_cast<float>(deterministic_exp(old ? -deterministic_exp(w)
                                                         : kSlowest * static_cast<double>(logistic(rows.w[i]))));
  }
  if (old) {
    std::fill_n(rows.a, h.tokens * heads, 1.0f);
  } else {
    run_low_rank(rate_, inputs[order.a], h.tokens, {}, rows.a, pass);
    pass.kernels.activate(Activation::sigmoid, rows.a, nullptr, all);
    if (spec_.first) {
      std::copy_n(rows.v, all, pass.first_values);
    } else {
      run_low_rank(value_, inputs[order.v], h.tokens, {}, out, pass);
      pass.kernels.activate(Activation::sigmoid, out, nullptr, all);
      for (std::size_t i = 0; i < all; ++i) rows.v[i] += (pass.first_values[i] - rows.v[i]) * out[i];
    }
  }
  pass.visit({Point::decay, pass.layer}, rows.w, heads, spec_.head_dim);
  pass.visit({Point::write, pass.layer}, rows.a, heads, old ? 1 : spec_.head_dim);
  pass.pool.parallel_for(pass.segments.size() * heads, 1, [&](std::size_t begin, std::size_t end, std::size_t) noexcept {
    for (std::size_t task = begin; task < end; ++task) {
      Segment& segment = pass.segments[task / heads];
      if (old) run6(task % heads, segment, rows, out, pass.layer);
      else run7(task % heads, segment, rows, out, pass.layer);
    }
  });
  pass.pool.parallel_for(h.tokens, 1, [&](std::size_t begin, std::size_t end, std::size_t) noexcept {
    for (std::size_t t = begin; t < end; ++t) finish(rows, out + t * h.width, t, h.width, pass);
  });
  project(out, h.tokens, {{&o_proj_, h.data}}, pass);
}

/// y = r (M + first k^T v), then M = w M + a k^T v, row by row of M: one row per key channel. RWKV 6 has no `a`: it is 1, unless a
/// listener edits it.
void RwkvTimeMix::run6(std::size_t head, Segment& segment, const Rows& rows, float* out, std::size_t layer) const noexcept {
  const std::size_t dim = spec_.head_dim, width = r_proj_.matrix.rows, heads = heads_of(spec_, width);
  float* const matrix = segment.cache.state(layer) + spec_.state_offset + width + head * dim * dim;
  for (std::size_t t = segment.row; t < segment.row + segment.count; ++t) {
    const std::size_t at = t * width + head * dim;
    const float a = rows.a[t * heads + head];
    float* const y = out + at;
    std::fill_n(y, dim, 0.0f);
    for (std::size_t i = 0; i < dim; ++i) {
      float* const row = matrix + i * dim;
      const float r = rows.r[at + i], k = rows.k[at + i], w = rows.w[at + i], first = first_[head * dim + i];
      for (std::size_t j = 0; j < dim; ++j) {
        const float kv = k * rows.v[at + j];
        y[j] += r * (row[j] + first * kv);
        row[j] = w * row[j] + a * kv;
      }
    }
    segment.cache.keep(t - segment.row, matrix, dim * dim);
  }
}

/// M = w M + (a n)^T (-n M) + k^T v, where n is the normed key; then y = r M, row by row of M.
void RwkvTimeMix::run7(std::size_t head, Segment& segment, const Rows& rows, float* out, std::size_t layer) const noexcept {
  const std::size_t dim = spec_.head_dim, width = r_proj_.matrix.rows;
  float* const matrix = segment.cache.state(layer) + spec_.state_offset + width + head * dim * dim;
  for (std::size_t t = segment.row; t < segment.row + segment.count; ++t) {
    const std::size_t at = t * width + head * dim;
    const float *k = rows.k + at, *a = rows.a + at, *v = rows.v + at;
    float normed[RwkvTimeMixSpec::kMostHead], taken[RwkvTimeMixSpec::kMostHead] = {};
    float squares = 0;
    for (std::size_t i = 0; i < dim; ++i) {
      normed[i] = k[i] * k_k_[head * dim + i];
      squares += normed[i] * normed[i];
    }
    const float length = std::max(std::sqrt(squares), kShortest);
    for (std::size_t i = 0; i < dim; ++i) {
      normed[i] /= length;
      for (std::size_t j = 0; j < dim; ++j) taken[j] -= normed[i] * matrix[i * dim + j];
    }
    float* const y = out + at;
    std::fill_n(y, dim, 0.0f);
    for (std::size_t i = 0; i < dim; ++i) {
      float* const row = matrix + i * dim;
      const float key = k[i] + (a[i] - 1) * k[i] * k_a_[head * dim + i];
      const float r = rows.r[at + i], w = rows.w[at + i], back = normed[i] * a[i];
      for (std::size_t j = 0; j < dim; ++j) {
        row[j] = w * row[j] + back * taken[j] + key * v[j];
        y[j] += r * row[j];
      }
    }
    segment.cache.keep(t - segment.row, matrix, dim * dim);
  }
}

/// Applies each head's norm, adds the token's own value weighted by r, k and r_k (RWKV 7 only), and multiplies by the gate.
void RwkvTimeMix::finish(const Rows& rows, float* out, std::size_t t, std::size_t width, Pass& pass) const noexcept {
  const std::size_t dim = spec_.head_dim;
  const float* gate = rows.g + t * width;
  for (std::size_t at = 0; at < width; at += dim) {
    if (!norm_.empty()) pass.kernels.layer_norm(out + at, norm_.data() + at, norm_bias_.data() + at, kHeadEpsilon, dim, out + at);
    if (spec_.version == 6) continue;
    float sum = 0;
    for (std::size_t i = at; i < at + dim; ++i) {
      const std::size_t row = t * width + i;
      const float key = rows.k[row] + (rows.a[row] - 1) * rows.k[row] * k_a_[i];
      sum += rows.r[row] * key * r_k_[i];
    }
    pass.kernels.add_scaled(out + at, rows.v + t * width + at, sum, dim);
  }
  if (spec_.version == 7 && spec_.gate_rank == 0) return;
  for (std::size_t i = 0; i < width; ++i) out[i] *= gate[i];
}

RwkvChannelMix::RwkvChannelMix(const RwkvChannelMixSpec& spec, std::size_t width, const std::string& layer, Weights& weights)
    : spec_(spec),
      share_k_(weights.vector(layer + ".channel_mix_lerp_k.weight", width)),
      key_(weights.linear(layer + ".channel_mix_key", spec.feed_forward, width)),
      value_(weights.linear(layer + ".channel_mix_value", width, spec.feed_forward)) {
  if (!spec.receptance) return;
  share_r_ = weights.vector(layer + ".channel_mix_lerp_r.weight", width);
  receptance_ = weights.linear(layer + ".channel_mix_receptance", width, width);
}

ScratchNeed RwkvChannelMix::need(const RwkvChannelMixSpec& spec, const PassLimits& limits) noexcept {
  const std::uint64_t rows = limits.tokens * limits.width;
  return ScratchNeed()
      .allocate<float>(rows)
      .allocate<float>(rows)
      .allocate<float>(rows)
      .allocate<float>(limits.tokens * spec.feed_forward)
      .product(limits.tokens, static_cast<std::size_t>(limits.width))
      .product(limits.tokens, spec.feed_forward);
}

BlockTraits RwkvChannelMix::traits(const RwkvChannelMixSpec& spec, std::size_t width) noexcept {
  return {.cache = {.state = width}, .out = Point::mlp, .hidden = spec.feed_forward};
}

void RwkvChannelMix::operator()(Activations h, Pass& pass) const noexcept {
  const Scratch::Scope scope(pass.scratch);
  float* change = pass.scratch.allocate<float>(h.tokens * h.width);
  float* input = pass.scratch.allocate<float>(h.tokens * h.width);
  float* opened = pass.scratch.allocate<float>(h.tokens * h.width);
  float* hidden = pass.scratch.allocate<float>(h.tokens * spec_.feed_forward);
  shift_tokens(h, 0, change, pass);
  if (spec_.receptance) {
    mix_shifted(h, change, share_r_.data(), input);
    project(input, h.tokens, {{&receptance_, opened}}, pass);
  }
  mix_shifted(h, change, share_k_.data(), input);
  project(input, h.tokens, {{&key_, hidden}}, pass);
  activate(Activation::relu_squared, hidden, nullptr, h.tokens * spec_.feed_forward, pass);
  pass.visit({Point::hidden, pass.layer}, hidden, 1, spec_.feed_forward);
  project(hidden, h.tokens, {{&value_, h.data}}, pass);
  if (!spec_.receptance) return;
  pass.kernels.activate(Activation::sigmoid, opened, h.data, h.tokens * h.width);
  std::copy_n(opened, h.tokens * h.width, h.data);
}

}  // namespace heed::nn

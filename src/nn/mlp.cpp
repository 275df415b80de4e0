#include "nn/mlp.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace heed::nn {
namespace {

constexpr std::size_t kChunk = 2048;  // values per piece of a thread's work

}  // namespace

Mlp::Mlp(const MlpSpec& spec, std::size_t width, const std::string& name, Weights& weights, const std::string& suffix, Point hidden)
    : spec_(spec), hidden_(hidden) {
  const std::size_t f = spec.feed_forward;
  const std::string gate = name + ".ffn_gate" + suffix;
  std::string up = name + ".ffn_up" + suffix, down = name + ".ffn_down" + suffix;
  if (spec.may_be_exchanged && f != width && weights.rows(down + ".weight") == f) std::swap(up, down);
  if (spec.without_gate && !weights.contains(gate + ".weight")) {
    spec_.gated = false;
    spec_.activation = *spec.without_gate;
  }
  if (spec_.gated && !weights.contains(gate + ".weight") && weights.rows(up + ".weight") == 2 * f) {
    gate_proj_ = weights.linear(up, f, width, spec.biased, {}, {0, 2 * f});
    up_proj_ = weights.linear(up, f, width, spec.biased, {}, {f, 2 * f});
  } else {
    if (spec_.gated) gate_proj_ = weights.linear(gate, f, width, spec.biased);
    up_proj_ = weights.linear(up, f, width, spec.biased);
  }
  down_proj_ = weights.linear(down, width, f, spec.biased);
  if (spec.shrinks) shrinkage_ = weights.optional_vector(name + ".ffn.act.scales", f);
  if (spec.sub_norm) sub_norm_.emplace(*spec.sub_norm, f, name + ".ffn_sub_norm", weights);
}

ScratchNeed Mlp::need(const MlpSpec& spec, const PassLimits& limits) noexcept {
  return ScratchNeed()
      .allocate<float>(limits.tokens * spec.feed_forward)
      .allocate<float>(spec.gated ? limits.tokens * spec.feed_forward : 0)
      .product(limits.tokens, static_cast<std::size_t>(limits.width))
      .product(limits.tokens, spec.feed_forward);
}

void Mlp::operator()(Activations h, Pass& pass) const noexcept {
  const Scratch::Scope scope(pass.scratch);
  const std::size_t count = h.tokens * spec_.feed_forward;
  float* hidden = pass.scratch.allocate<float>(count);
  float* factor = spec_.gated ? pass.scratch.allocate<float>(count) : nullptr;
  if (spec_.gated) project(h.data, h.tokens, {{&gate_proj_, hidden}, {&up_proj_, factor}}, pass);
  else project(h.data, h.tokens, {{&up_proj_, hidden}}, pass);
  if (hidden_ == Point::hidden) {
    pass.visit({Point::pre, pass.layer}, hidden, 1, spec_.feed_forward);
    if (factor) pass.visit({Point::up, pass.layer}, factor, 1, spec_.feed_forward);
  }
  if (spec_.cutoff) cut_off(hidden, h.tokens, pass);
  if (spec_.xielu) curve(hidden, count, pass);
  else activate(spec_, hidden, factor, count, pass);
  if (!shrinkage_.empty())
    for (std::size_t i = 0; i < count; ++i) hidden[i] /= shrinkage_[i % spec_.feed_forward];
  if (sub_norm_) (*sub_norm_)({hidden, h.tokens, spec_.feed_forward}, hidden, pass);
  pass.visit({hidden_, pass.layer}, hidden, 1, spec_.feed_forward);
  project(hidden, h.tokens, {{&down_proj_, h.data}}, pass);
}

/// Sums in double and in order, so that every target gives the same bits.
void Mlp::cut_off(float* gates, std::size_t tokens, Pass& pass) const noexcept {
  const std::size_t f = spec_.feed_forward;
  pass.pool.parallel_for(tokens, 1, [&](std::size_t begin, std::size_t end, std::size_t) noexcept {
    for (float* row = gates + begin * f; row != gates + end * f; row += f) {
      double sum = 0, squares = 0;
      for (std::size_t i = 0; i < f; ++i) sum += row[i];
      const double mean = sum / static_cast<double>(f);
      for (std::size_t i = 0; i < f; ++i) squares += (row[i] - mean) * (row[i] - mean);
      const double deviation = std::sqrt(squares / std::max(1.0, static_cast<double>(f) - 1));
      const auto least = static_cast<float>(mean + static_cast<double>(*spec_.cutoff) * deviation);
      for (std::size_t i = 0; i < f; ++i) row[i] = std::max(row[i] - least, 0.0f);
    }
  });
}

void Mlp::curve(float* hidden, std::size_t count, Pass& pass) const noexcept {
  pass.pool.parallel_for(count, kChunk, [&](std::size_t begin, std::size_t end, std::size_t) noexcept {
    pass.kernels.xielu(*spec_.xielu, hidden + begin, end - begin);
  });
}

void activate(const MlpSpec& spec, float* hidden, float* up, std::size_t count, Pass& pass) noexcept {
  if (spec.limit == 0 || !up) return activate(spec.activation, hidden, up, count, pass);
  pass.pool.parallel_for(count, kChunk, [&](std::size_t begin, std::size_t end, std::size_t) noexcept {
    const auto bound = [&] {
      for (std::size_t i = begin; i < end; ++i) hidden[i] = std::min(hidden[i], spec.limit);
    };
    for (std::size_t i = begin; i < end; ++i) up[i] = std::clamp(up[i], -spec.limit, spec.limit);
    if (spec.limits_first) bound();
    pass.kernels.activate(spec.activation, hidden + begin, spec.limits_first ? up + begin : nullptr, end - begin);
    if (spec.limits_first) return;
    bound();
    for (std::size_t i = begin; i < end; ++i) hidden[i] *= up[i];
  });
}

void activate(kernels::Activation activation, float* hidden, const float* up, std::size_t count, Pass& pass) noexcept {
  pass.pool.parallel_for(count, kChunk, [&](std::size_t begin, std::size_t end, std::size_t) noexcept {
    pass.kernels.activate(activation, hidden + begin, up ? up + begin : nullptr, end - begin);
  });
}

}  // namespace heed::nn

#include "nn/alt_up.hpp"

#include <algorithm>
#include <cmath>

namespace heed::nn {

AltUp::AltUp(const AltUpSpec& spec, std::size_t width, Weights& weights)
    : spec_(spec),
      proj_(weights.linears("altup_proj", spec.streams - 1, width, width)),
      unembed_(weights.linears("altup_unembd_proj", spec.streams - 1, width, width)) {}

void AltUp::add_layer(const StackSpec& stack, const std::string& name, const std::vector<Rope>& ropes, Weights& weights) {
  const std::size_t n = spec_.streams;
  LayerParts parts{Norm(spec_.norm, stack.width, name + ".altup_router_norm", weights),
                   weights.linear(name + ".altup_router", n, stack.width),
                   weights.linear(name + ".altup_predict_coef", n * n, n),
                   weights.linear(name + ".altup_correct_coef", n, n),
                   {},
                   std::nullopt};
  if (spec_.others) {
    parts.correct_scale = weights.vector(name + ".altup_correct_scale.weight", stack.width);
    parts.others.emplace(*spec_.others, stack, name, ropes, weights);
  }
  layers_.push_back(std::move(parts));
}

ScratchNeed AltUp::need(const AltUpSpec& spec, const PassLimits& limits) noexcept {
  const std::uint64_t stream = limits.tokens * limits.width, n = spec.streams;
  ScratchNeed need;
  for (std::size_t i = 0; i < spec.streams + 2; ++i) need.allocate<float>(stream);  // all but the first, `predicted`, 2 temporary
  return need.allocate<float>(limits.tokens * n)
      .allocate<float>(limits.tokens * n * n)
      .allocate<float>(limits.threads * n * limits.width)
      .product(limits.tokens, static_cast<std::size_t>(limits.width))
      .product(limits.tokens, spec.streams);
}

AltUp::Streams AltUp::begin(Activations x, Pass& pass) const noexcept {
  Streams streams{.tokens = x.tokens, .width = x.width};
  streams.data[0] = x.data;
  for (std::size_t j = 1; j < spec_.streams; ++j) {
    streams.data[j] = pass.scratch.allocate<float>(x.tokens * x.width);
    project(x.data, x.tokens, {{&proj_[j - 1], streams.data[j]}}, pass);
    match_norm(x.data, streams.data[j], streams, pass);
  }
  streams.predicted = pass.scratch.allocate<float>(x.tokens * x.width);
  return streams;
}

/// X_o += sum over j of c[o][j] X_j
void AltUp::predict(Streams& streams, Pass& pass) const noexcept {
  const LayerParts& parts = layers_[pass.layer];
  const Scratch::Scope scope(pass.scratch);
  const std::size_t n = spec_.streams, width = streams.width;
  float* routed = pass.scratch.allocate<float>(streams.tokens * n);
  float* coefficients = pass.scratch.allocate<float>(streams.tokens * n * n);
  float* rows = pass.scratch.allocate<float>(pass.pool.threads() * n * width);
  route(parts, streams.first(), routed, pass);
  project(routed, streams.tokens, {{&parts.predict_coef, coefficients}}, pass);
  pass.pool.parallel_for(streams.tokens, 1, [&](std::size_t begin, std::size_t end, std::size_t thread) noexcept {
    float* predicted = rows + thread * n * width;
    for (std::size_t t = begin; t < end; ++t) {
      for (std::size_t o = 0; o < n; ++o) {
        float* row = predicted + o * width;
        std::copy_n(streams.data[o] + t * width, width, row);
        for (std::size_t j = 0; j < n; ++j)
          pass.kernels.add_scaled(row, streams.data[j] + t * width, coefficients[(t * n + o) * n + j], width);
      }
      for (std::size_t o = 0; o < n; ++o) std::copy_n(predicted + o * width, width, streams.data[o] + t * width);
      std::copy_n(predicted, width, streams.predicted + t * width);
    }
  });
}

/// X_j = P_j + (f - P_0) (1 + c_j), where f is the layer's output for P_0.
void AltUp::correct(Streams& streams, Pass& pass) const noexcept {
  const LayerParts& parts = layers_[pass.layer];
  {
    const Scratch::Scope scope(pass.scratch);
    const std::size_t n = spec_.streams, width = streams.width;
    float* routed = pass.scratch.allocate<float>(streams.tokens * n);
    float* coefficients = pass.scratch.allocate<float>(streams.tokens * n);
    route(parts, streams.first(), routed, pass);
    project(routed, streams.tokens, {{&parts.correct_coef, coefficients}}, pass);
    pass.pool.parallel_for(streams.tokens, 1, [&](std::size_t begin, std::size_t end, std::size_t) noexcept {
      for (std::size_t t = begin; t < end; ++t) {
        float* change = streams.data[0] + t * width;
        const float* predicted = streams.predicted + t * width;
        pass.kernels.add_scaled(change, predicted, -1.0f, width);
        for (std::size_t j = 1; j < n; ++j)
          pass.kernels.add_scaled(streams.data[j] + t * width, change, 1.0f + coefficients[t * n + j], width);
        pass.kernels.scale(change, 1.0f + coefficients[t * n], width);
        pass.kernels.add(change, predicted, width);
      }
    });
  }
  if (parts.others) tell_others(parts, streams, pass);
}

void AltUp::end(Streams& streams, Pass& pass) const noexcept {
  const Scratch::Scope scope(pass.scratch);
  const std::size_t count = streams.tokens * streams.width;
  float* like = pass.scratch.allocate<float>(count);
  float* projected = pass.scratch.allocate<float>(count);
  std::copy_n(streams.data[0], count, like);
  for (std::size_t j = 1; j < spec_.streams; ++j) {
    project(streams.data[j], streams.tokens, {{&unembed_[j - 1], projected}}, pass);
    match_norm(like, projected, streams, pass);
    pass.kernels.add(streams.data[0], projected, count);
  }
  pass.kernels.scale(streams.data[0], 1.0f / static_cast<float>(spec_.streams), count);
}

/// routed: T x streams = tanh(router(norm(x) / D)).
void AltUp::route(const LayerParts& parts, Activations x, float* routed, Pass& pass) const noexcept {
  const Scratch::Scope scope(pass.scratch);
  float* normed = pass.scratch.allocate<float>(x.tokens * x.width);
  parts.router_norm(x, normed, pass);
  pass.kernels.scale(normed, 1.0f / static_cast<float>(x.width), x.tokens * x.width);
  project(normed, x.tokens, {{&parts.router, routed}}, pass);
  pass.kernels.softcap(routed, 1.0f, x.tokens * spec_.streams);
}

/// The sublayer's output for the first stream, scaled by channel, is added to all other streams.
void AltUp::tell_others(const LayerParts& parts, Streams& streams, Pass& pass) const noexcept {
  const Scratch::Scope scope(pass.scratch);
  const std::size_t width = streams.width;
  const Activations x{pass.scratch.allocate<float>(streams.tokens * width), streams.tokens, width};
  const Activations h{pass.scratch.allocate<float>(streams.tokens * width), streams.tokens, width};
  for (std::size_t t = 0; t < streams.tokens; ++t)
    for (std::size_t i = 0; i < width; ++i) x.data[t * width + i] = streams.data[0][t * width + i] * parts.correct_scale[i];
  parts.others->branch(x, h, pass);
  for (std::size_t j = 1; j < spec_.streams; ++j) pass.kernels.add(streams.data[j], h.data, streams.tokens * width);
}

/// Scales each row of x to the norm of the same row of `like`. Sums in double and in order, so that every target gives the same
/// bits.
void AltUp::match_norm(const float* like, float* x, const Streams& streams, Pass& pass) const noexcept {
  const auto squares = [&](const float* row) {
    double sum = 0;
    for (std::size_t i = 0; i < streams.width; ++i) sum += static_cast<double>(row[i]) * row[i];
    return sum;
  };
  pass.pool.parallel_for(streams.tokens, 4, [&](std::size_t begin, std::size_t end, std::size_t) noexcept {
    for (std::size_t at = begin * streams.width; at < end * streams.width; at += streams.width) {
      const double own = squares(x + at);
      const double factor = own > 0 ? std::sqrt(squares(like + at) / own) : 0.0;
      pass.kernels.scale(x + at, static_cast<float>(factor), streams.width);
    }
  });
}

}  // namespace heed::nn

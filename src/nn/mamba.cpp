#include "nn/mamba.hpp"

#include "base/deterministic_math.hpp"

namespace heed::nn {
namespace {

std::size_t inner_of(const MambaSpec& spec) noexcept { return spec.heads * spec.head_dim; }
std::size_t states_of(const MambaSpec& spec) noexcept { return inner_of(spec) * spec.state; }
/// The number of decay rates of a head.
std::size_t rates_of(const MambaSpec& spec) noexcept { return spec.one_rate ? 1 : spec.state; }

/// The norm with the file's weights, or without weights if the spec asks for that; nothing otherwise.
std::optional<Norm> norm_of(const MambaSpec& spec, std::size_t width, const std::string& name, Weights& weights) {
  NormSpec norm = spec.norm;
  norm.weighted = weights.contains(name) || weights.contains(name + ".weight");
  if (!norm.weighted && !spec.normed) return std::nullopt;
  return Norm(norm, width, name, weights);
}

}  // namespace

Mamba::Mamba(const MambaSpec& spec, std::size_t width, const std::string& name, Weights& weights)
    : spec_(spec),
      convolution_(spec.taps, inner_of(spec), name + ".ssm_conv1d", weights),
      o_proj_(weights.linear(name + ".ssm_out", width, inner_of(spec))),
      step_proj_(weights.linear(name + ".ssm_dt", spec.heads, spec.rank, true)),
      dt_norm_(norm_of(spec, spec.rank, name + ".ssm_dt_norm", weights)),
      b_norm_(norm_of(spec, spec.state, name + ".ssm_b_norm", weights)),
      c_norm_(norm_of(spec, spec.state, name + ".ssm_c_norm", weights)),
      rates_(weights.table(name + ".ssm_a", spec.heads, rates_of(spec))),
      skip_(weights.table(name + ".ssm_d", spec.heads, 1)) {
  const std::size_t inner = inner_of(spec), all = spec.rank + 2 * spec.state;
  const std::string in = name + ".ssm_in", x = name + ".ssm_x";
  if (spec.by_head) {  // rows of `in`: each head's gate, then its inputs; rows of `x`: B, C, then the time step
    const std::size_t dim = spec.head_dim;
    gate_proj_ = weights.linear(in, inner, width, false, {}, {0, 2 * inner, dim, 2 * dim});
    u_proj_ = weights.linear(in, inner, width, false, {}, {dim, 2 * inner, dim, 2 * dim});
    b_proj_ = weights.linear(x, spec.state, inner, false, {}, {0, all});
    c_proj_ = weights.linear(x, spec.state, inner, false, {}, {spec.state, all});
    dt_proj_ = weights.linear(x, spec.rank, inner, false, {}, {2 * spec.state, all});
  } else {
    u_proj_ = weights.linear(in, inner, width, false, {}, {0, 2 * inner});
    gate_proj_ = weights.linear(in, inner, width, false, {}, {inner, 2 * inner});
    dt_proj_ = weights.linear(x, spec.rank, inner, false, {}, {0, all});
    b_proj_ = weights.linear(x, spec.state, inner, false, {}, {spec.rank, all});
    c_proj_ = weights.linear(x, spec.state, inner, false, {}, {spec.rank + spec.state, all});
  }
}

ScratchNeed Mamba::need(const MambaSpec& spec, const PassLimits& limits) noexcept {
  const std::uint64_t t = limits.tokens, inner = inner_of(spec);
  return ScratchNeed()
      .allocate<float>(t * inner)
      .allocate<float>(t * inner)
      .allocate<float>(t * inner)
      .allocate<float>(t * spec.rank)
      .allocate<float>(t * spec.heads)
      .allocate<float>(t * spec.state)
      .allocate<float>(t * spec.state)
      .product(t, static_cast<std::size_t>(limits.width))
      .product(t, inner_of(spec))
      .product(t, spec.rank);
}

BlockTraits Mamba::traits(const MambaSpec& spec, std::size_t /*width*/) noexcept {
  return {.cache = {.state = states_of(spec) + CausalConvolution::state(spec.taps, inner_of(spec))},
          .recurrent = {.heads = spec.heads, .decays = rates_of(spec)}};
}

void Mamba::operator()(Activations h, Pass& pass) const noexcept {
  const Scratch::Scope scope(pass.scratch);
  const std::size_t inner = inner_of(spec_);
  float* u = pass.scratch.allocate<float>(h.tokens * inner);
  float* gate = pass.scratch.allocate<float>(h.tokens * inner);
  float* mixed = pass.scratch.allocate<float>(h.tokens * inner);
  const Activations dt{pass.scratch.allocate<float>(h.tokens * spec_.rank), h.tokens, spec_.rank};
  float* steps = pass.scratch.allocate<float>(h.tokens * spec_.heads);
  const Activations b{pass.scratch.allocate<float>(h.tokens * spec_.state), h.tokens, spec_.state};
  const Activations c{pass.scratch.allocate<float>(h.tokens * spec_.state), h.tokens, spec_.state};
  project(h.data, h.tokens, {{&u_proj_, u}, {&gate_proj_, gate}}, pass);
  convolution_(u, inner, states_of(spec_), mixed, pass, [&](std::size_t t) noexcept {
    pass.kernels.activate(kernels::Activation::silu, mixed + t * inner, nullptr, inner);
  });
  project(mixed, h.tokens, {{&dt_proj_, dt.data}, {&b_proj_, b.data}, {&c_proj_, c.data}}, pass);
  if (dt_norm_) (*dt_norm_)(dt, dt.data, pass);
  if (b_norm_) (*b_norm_)(b, b.data, pass);
  if (c_norm_) (*c_norm_)(c, c.data, pass);
  project(dt.data, h.tokens, {{&step_proj_, steps}}, pass);

  float* out = u;  // u is no longer needed
  const std::size_t tasks = pass.segments.size() * spec_.heads;
  pass.pool.parallel_for(tasks, std::max<std::size_t>(1, 16 / spec_.head_dim),
                         [&](std::size_t begin, std::size_t end, std::size_t) noexcept {
                           for (std::size_t task = begin; task < end; ++task)
                             run(task % spec_.heads, pass.segments[task / spec_.heads], {mixed, steps, b.data, c.data}, out, pass);
                         });
  pass.pool.parallel_for(h.tokens, 1, [&](std::size_t begin, std::size_t end, std::size_t) noexcept {
    pass.kernels.activate(kernels::Activation::silu, gate + begin * inner, out + begin * inner, (end - begin) * inner);
  });
  project(gate, h.tokens, {{&o_proj_, h.data}}, pass);
}

/// One head's state over the tokens of a segment: s = e^(step rate) s + step x B, y = s C + skip x.
void Mamba::run(std::size_t head, Segment& segment, const Chosen& chosen, float* out, Pass& pass) const noexcept {
  const std::size_t dim = spec_.head_dim, n = spec_.state, inner = inner_of(spec_), rates = rates_of(spec_);
  float* const states = segment.cache.state(pass.layer) + head * dim * n;
  for (std::size_t t = segment.row; t < segment.row + segment.count; ++t) {
    const double step = deterministic_softplus(static_cast<double>(chosen.steps[t * spec_.heads + head]));
    float decays[MambaSpec::kMostState], write = static_cast<float>(step);
    for (std::size_t i = 0; i < rates; ++i)
      decays[i] = static_cast<float>(deterministic_exp(step * static_cast<double>(rates_[head * rates + i])));
    if (segment.listener) {
      pass.visit_row({Point::decay, pass.layer}, t, decays, rates, head);
      pass.visit_row({Point::write, pass.layer}, t, &write, 1, head);
    }
    for (std::size_t k = 0; k < dim; ++k) {
      float* const state = states + k * n;
      const float x = chosen.inputs[t * inner + head * dim + k], written = write * x;
      float sum = 0;
      for (std::size_t i = 0; i < n; ++i) {
        state[i] = state[i] * decays[spec_.one_rate ? 0 : i] + written * chosen.b[t * n + i];
        sum += state[i] * chosen.c[t * n + i];
      }
      out[t * inner + head * dim + k] = sum + skip_[head] * x;
    }
    segment.cache.keep(t - segment.row, states, dim * n);
  }
}

}  // namespace heed::nn

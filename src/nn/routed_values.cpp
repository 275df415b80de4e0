#include "nn/routed_values.hpp"

#include <algorithm>

namespace heed::nn {

RoutedValues::RoutedValues(const ValueExpertsSpec& spec, std::size_t width, std::size_t values, const std::string& name,
                           Weights& weights)
    : spec_{.count = spec.count, .used = spec.used, .gating = spec.gating, .normalized = spec.normalized, .scale = spec.scale},
      router_(weights.linear(name + "_v_gate", spec.count, width)),
      selection_bias_(std::move(router_.bias)),
      experts_(weights.linears(name + "_v_exps", spec.count, values, width)) {}

ScratchNeed RoutedValues::need(const ValueExpertsSpec& spec, std::size_t values, const PassLimits& limits) noexcept {
  const std::uint64_t rows = limits.tokens * spec.used;
  return ScratchNeed()
      .allocate<float>(limits.tokens * spec.count)
      .allocate<float>(limits.tokens * spec.count)
      .allocate<ExpertChoice>(rows)
      .allocate<float>(rows * limits.width)
      .allocate<float>(rows * values)
      .allocate<std::size_t>(rows)
      .allocate<Product>(spec.count)
      .product(rows, static_cast<std::size_t>(limits.width));
}

void RoutedValues::operator()(Activations h, float* out, Pass& pass) const noexcept {
  const Scratch::Scope scope(pass.scratch);
  const std::size_t rows = h.tokens * spec_.used, values = experts_[0].matrix.rows;
  float* scores = pass.scratch.allocate<float>(h.tokens * spec_.count);
  float* ranking = pass.scratch.allocate<float>(h.tokens * spec_.count);
  ExpertChoice* choices = pass.scratch.allocate<ExpertChoice>(rows);
  float* inputs = pass.scratch.allocate<float>(rows * h.width);
  float* made = pass.scratch.allocate<float>(rows * values);
  std::size_t* tokens = pass.scratch.allocate<std::size_t>(rows);
  Product* products = pass.scratch.allocate<Product>(spec_.count);
  project(h.data, h.tokens, {{&router_, scores}}, pass);
  for (std::size_t t = 0; t < h.tokens; ++t)
    choose_experts(spec_, selection_bias_.span(), scores + t * spec_.count, ranking + t * spec_.count, choices + t * spec_.used,
                   pass.kernels);
  std::size_t count = 0, row = 0;
  for (std::uint32_t e = 0; e < spec_.count; ++e) {  // rows of one expert are adjacent
    const std::size_t first = row;
    for (std::size_t i = 0; i < rows; ++i) {
      if (choices[i].expert != e) continue;
      choices[i].row = static_cast<std::uint32_t>(row);
      tokens[row] = i / spec_.used;
      std::copy_n(h.data + tokens[row] * h.width, h.width, inputs + row * h.width);
      ++row;
    }
    if (row != first)
      products[count++] = {&experts_[e], inputs + first * h.width, row - first, made + first * values, tokens + first};
  }
  multiply({products, count}, pass);
  activate(kernels::Activation::silu, made, nullptr, rows * values, pass);
  std::fill_n(out, h.tokens * values, 0.0f);
  for (std::size_t i = 0; i < rows; ++i)
    pass.kernels.add_scaled(out + i / spec_.used * values, made + choices[i].row * values, choices[i].weight, values);
}

}  // namespace heed::nn

// Linear attention: a state instead of a cache (arXiv:2006.16236). Divides the heads into strips of columns and distributes them
// over threads; the arithmetic is in a kernel, token by token, regardless of the size of the pass.
#pragma once

#include "nn/pass.hpp"

namespace heed::nn {

class LinearAttention {
 public:
  struct Shape {
    std::size_t key_heads = 0, heads = 0;  // of queries and keys; of values
    std::size_t key_dim = 0, value_dim = 0;
    bool tiled = false;  // head h uses key head h mod key_heads; otherwise, adjacent heads share one
    bool delta = false;  // uses the delta rule
  };

  explicit LinearAttention(const Shape& shape) : shape_(shape) {}

  /// Floats of state per sequence, zero before the first token: a matrix of key_dim x value_dim per head. A token reads and
  /// writes all of them.
  static constexpr std::size_t state(const Shape& shape) noexcept {
    return shape.heads * kernels::linear_attention_state(shape.key_dim, shape.value_dim);
  }

  /// The inputs and outputs of T tokens, with the stride between tokens.
  struct Batch {
    const float *queries, *keys;  // key_heads x key_dim
    const float* values;          // heads x value_dim
    std::size_t stride;           // of all three
    float *decays, *betas;        // T x heads
    float* out;                   // T x heads x value_dim
  };
  /// Runs all tokens. The states must be at the beginning of the layer's state memory.
  void operator()(const Batch& batch, Pass& pass) const noexcept {
    pass.visit({Point::decay, pass.layer}, batch.decays, shape_.heads, 1);
    pass.visit({Point::write, pass.layer}, batch.betas, shape_.heads, 1);
    constexpr std::size_t kTogether = 2;  // strips per chunk of work
    const std::size_t strips = kernels::padded(shape_.value_dim) / kernels::kWide, tasks = shape_.heads * strips;
    const auto body = [&](std::size_t begin, std::size_t end, std::size_t) noexcept {
      for (std::size_t task = begin; task < end; ++task)
        run(batch, pass.segments[task / tasks], task % tasks / strips, task % strips, pass);
    };
    pass.pool.parallel_for(pass.segments.size() * tasks, kTogether, body);
  }

 private:
  void run(const Batch& batch, Segment& segment, std::size_t head, std::size_t strip, Pass& pass) const noexcept {
    const auto& [key_heads, heads, key_dim, value_dim, tiled, delta] = shape_;
    const std::size_t strips = kernels::padded(value_dim) / kernels::kWide, column = strip * kernels::kWide;
    const std::size_t key_head = tiled ? head % key_heads : head / (heads / key_heads);
    const std::size_t at = segment.row * batch.stride, key = at + key_head * key_dim;
    kernels::LinearAttentionArgs args{
        .state = segment.cache.state(pass.layer) + (head * strips + strip) * key_dim * kernels::kWide,
        .rows = key_dim,
        .columns = std::min(value_dim - column, kernels::kWide),
        .delta = delta,
        .tokens = segment.cache.keeps_states() ? 1 : segment.count,
        .queries = batch.queries + key,
        .keys = batch.keys + key,
        .key_stride = batch.stride,
        .values = batch.values + at + head * value_dim + column,
        .value_stride = batch.stride,
        .decays = batch.decays + segment.row * heads + head,
        .betas = batch.betas + segment.row * heads + head,
        .gate_stride = heads,
        .out = batch.out + (segment.row * heads + head) * value_dim + column,
        .out_stride = heads * value_dim,
    };
    for (std::size_t t = 0; t < segment.count; t += args.tokens) {
      pass.kernels.linear_attention(args);
      segment.cache.keep(t, args.state, key_dim * kernels::kWide);
      args.queries += args.key_stride;
      args.keys += args.key_stride;
      args.values += args.value_stride;
      args.decays += args.gate_stride;
      args.betas += args.gate_stride;
      args.out += args.out_stride;
    }
  }

  Shape shape_;
};

}  // namespace heed::nn

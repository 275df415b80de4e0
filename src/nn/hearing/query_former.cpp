#include "nn/hearing/query_former.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"

namespace heed::nn {
namespace {

constexpr NormSpec kQueryNorm{NormKind::layer, 1e-12f};

MlpSpec mlp_of(std::size_t feed_forward) {
  return {.feed_forward = feed_forward, .activation = kernels::Activation::gelu_tanh, .gated = false};
}

}  // namespace

QueryFormer::QueryFormer(const QueryFormerSpec& spec, std::size_t width, const std::string& prefix, Weights& weights)
    : spec_(spec), read_(width), width_(std::max<std::size_t>(weights.outputs(prefix + "proj_blk.0.self_attn_q.weight"), 1)) {
  if (width_ % spec.heads != 0)
    throw Error(ErrorCode::invalid_file, "must divide " + std::to_string(width_) + ", the width of queries",
                "clip.audio.projector.head_count");
  queries_ = weights.table(prefix + "proj_query", spec.queries, width_);
  norm_.emplace(kQueryNorm, width_, prefix + "proj_norm", weights);
  for (std::size_t i = 0; i < spec.layers; ++i) {
    const std::string name = prefix + "proj_blk." + std::to_string(i);
    const std::size_t feed_forward = std::max<std::size_t>(weights.outputs(name + ".ffn_up.weight"), 1);
    layers_.push_back({.self = attending(name + ".self_attn", width_, weights),
                       .cross = attending(name + ".cross_attn", read_, weights),
                       .feed_forward = feed_forward,
                       .mlp = Mlp(mlp_of(feed_forward), width_, name, weights),
                       .norm = Norm(kQueryNorm, width_, name + ".ffn_norm", weights)});
  }
}

QueryFormer::Attending QueryFormer::attending(const std::string& name, std::size_t read, Weights& weights) const {
  return {.q = weights.linear(name + "_q", width_, width_),
          .k = weights.linear(name + "_k", width_, read),
          .v = weights.linear(name + "_v", width_, read),
          .out = weights.linear(name + "_out", width_, width_),
          .norm = Norm(kQueryNorm, width_, name + "_norm", weights)};
}

ScratchNeed QueryFormer::need(std::size_t count) const {
  const std::uint64_t made = rows(count), read = windows(count) * spec_.window, most = std::max(made, read);
  ScratchNeed inner;
  for (int i = 0; i < 2; ++i) inner.allocate<float>(made * width_).allocate<float>(most * width_);
  inner.allocate<float>(made * std::max(spec_.window, spec_.queries)).product(read, read_).product(made, width_);
  for (const Layer& layer : layers_)
    inner.either(ScratchNeed().allocate<float>(made * width_).with(Mlp::need(mlp_of(layer.feed_forward), {width_, made, made, 1})));
  return ScratchNeed().allocate<float>(read * read_).with(inner);
}

void QueryFormer::attend(const Attending& by, Activations x, const float* in, std::size_t keys, Pass& pass) const noexcept {
  const Scratch::Scope scope(pass.scratch);
  const std::size_t queries = spec_.queries, read = x.tokens / queries * keys, dim = width_ / spec_.heads;
  float *const q = pass.scratch.allocate<float>(x.tokens * width_), *const k = pass.scratch.allocate<float>(read * width_);
  float *const mixed = pass.scratch.allocate<float>(x.tokens * width_), *const v = pass.scratch.allocate<float>(read * width_);
  float* const scores = pass.scratch.allocate<float>(x.tokens * keys);
  project(x.data, x.tokens, {{&by.q, q}}, pass);
  project(in, read, {{&by.k, k}, {&by.v, v}}, pass);
  const float scale = 1 / std::sqrt(static_cast<float>(dim));
  pass.pool.parallel_for(x.tokens, 4, [&](std::size_t begin, std::size_t end, std::size_t) noexcept {
    for (std::size_t t = begin; t < end; ++t)
      for (std::size_t first = 0; first < width_; first += dim) {
        float *const weights = scores + t * keys, *const out = mixed + t * width_ + first;
        const std::size_t from = t / queries * keys;
        for (std::size_t i = 0; i < keys; ++i) {
          float sum = 0;
          for (std::size_t c = first; c < first + dim; ++c) sum += q[t * width_ + c] * k[(from + i) * width_ + c];
          weights[i] = sum * scale;
        }
        pass.kernels.softmax(weights, keys);
        std::fill_n(out, dim, 0.0f);
        for (std::size_t i = 0; i < keys; ++i) pass.kernels.add_scaled(out, v + (from + i) * width_ + first, weights[i], dim);
      }
  });
  project(mixed, x.tokens, {{&by.out, q}}, pass);
  pass.kernels.add(x.data, q, x.tokens * width_);
  by.norm(x, x.data, pass);
}

void QueryFormer::operator()(const float* in, std::size_t count, float* out, Pass& pass) const noexcept {
  const Scratch::Scope scope(pass.scratch);
  const std::size_t read = windows(count) * spec_.window;
  float* const filled = pass.scratch.allocate<float>(read * read_);
  std::fill(std::copy_n(in, count * read_, filled), filled + read * read_, 0.0f);
  const Activations x{out, rows(count), width_};
  for (std::size_t t = 0; t < x.tokens; ++t) std::copy_n(queries_.data() + t % spec_.queries * width_, width_, out + t * width_);
  (*norm_)(x, out, pass);
  for (const Layer& layer : layers_) {
    attend(layer.self, x, out, spec_.queries, pass);
    attend(layer.cross, x, filled, spec_.window, pass);
    const Scratch::Scope inner(pass.scratch);
    float* const h = pass.scratch.allocate<float>(x.tokens * width_);
    std::copy_n(out, x.tokens * width_, h);
    layer.mlp({h, x.tokens, width_}, pass);
    pass.kernels.add(out, h, x.tokens * width_);
    layer.norm(x, out, pass);
  }
}

}  // namespace heed::nn

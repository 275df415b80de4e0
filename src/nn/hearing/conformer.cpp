#include "nn/hearing/conformer.hpp"

#include <algorithm>
#include <cmath>

namespace heed::nn {
namespace {

MlpSpec half_spec(const ConformerSpec& spec) {
  return {.feed_forward = spec.feed_forward, .activation = kernels::Activation::silu, .gated = false};
}

}  // namespace

ConformerConvolution::ConformerConvolution(const ConformerSpec& spec, const std::string& name, Weights& weights)
    : spec_(spec), channels_(std::max<std::size_t>(weights.outputs(name + ".conv_pw1.weight") / 2, 1)) {
  in_ = weights.linear(name + ".conv_pw1", 2 * channels_, spec.width);
  out_ = weights.linear(name + ".conv_pw2", spec.width, channels_);
  taps_ = weights.table(name + ".conv_dw.weight", channels_, spec.taps, RowOrder::by_part(channels_, spec.taps, {1}));
  bias_ = weights.optional_vector(name + ".conv_dw.bias", channels_);
  const std::string norm = name + "." + std::string(spec.inner_norm);
  if (spec.channel_norm == ChannelNorm::rms) {
    norm_.emplace(spec.norm, channels_, norm, weights);
    return;
  }
  factor_ = weights.vector(norm + ".weight", channels_);
  shift_ = weights.vector(norm + ".bias", channels_);
  if (spec.channel_norm == ChannelNorm::affine) return;
  mean_ = weights.vector(norm + "_mean", channels_);
  variance_ = weights.vector(norm + "_var", channels_);
}

ScratchNeed ConformerConvolution::need(std::size_t rows) const {
  ScratchNeed need;
  need.allocate<float>(2 * std::uint64_t{rows} * channels_).allocate<float>(std::uint64_t{rows} * channels_);
  return need.allocate<float>(channels_).product(rows, spec_.width).product(rows, channels_);
}

void ConformerConvolution::norm(float* row, Pass& pass) const noexcept {
  if (norm_) return norm_->apply(row, channels_, row, pass);
  for (std::size_t c = 0; c < channels_; ++c) {
    const float value = mean_.empty() ? row[c] : (row[c] - mean_[c]) / std::sqrt(variance_[c]);
    row[c] = value * factor_[c] + shift_[c];
  }
}

void ConformerConvolution::operator()(Activations x, Pass& pass) const noexcept {
  const Scratch::Scope scope(pass.scratch);
  const std::size_t rows = x.tokens, before = spec_.causal ? spec_.taps - 1 : (spec_.taps - 1) / 2;
  float *const both = pass.scratch.allocate<float>(2 * rows * channels_), *const made = pass.scratch.allocate<float>(rows *
                                                                                                                     channels_);
  float* const zeros = pass.scratch.allocate<float>(channels_);
  std::fill_n(zeros, channels_, 0.0f);
  project(x.data, rows, {{&in_, both}}, pass);
  pass.pool.parallel_for(rows, 8, [&](std::size_t begin, std::size_t end, std::size_t) noexcept {
    for (std::size_t t = begin; t < end; ++t) {
      float *const value = both + 2 * t * channels_, *const gate = value + channels_;
      pass.kernels.activate(kernels::Activation::sigmoid, gate, value, channels_);
    }
  });
  pass.pool.parallel_for(rows, 8, [&](std::size_t begin, std::size_t end, std::size_t) noexcept {
    for (std::size_t t = begin; t < end; ++t) {
      const float* inputs[kMostTaps];
      for (std::size_t tap = 0; tap < spec_.taps; ++tap) {
        const std::size_t at = t + tap;  // the input row + `before`
        inputs[tap] = at < before || at - before >= rows ? zeros : both + (2 * (at - before) + 1) * channels_;
      }
      float* const row = made + t * channels_;
      pass.kernels.convolve(inputs, taps_.data(), bias_.data(), spec_.taps, channels_, row);
      norm(row, pass);
      pass.kernels.activate(kernels::Activation::silu, row, nullptr, channels_);
    }
  });
  project(made, rows, {{&out_, x.data}}, pass);
}

Conformer::Layer Conformer::make_layer(const ConformerSpec& spec, const std::string& name, Weights& weights) {
  const auto norm = [&](std::string_view of) { return Norm(spec.norm, spec.width, name + "." + std::string(of), weights); };
  const auto half = [&](const std::string& suffix) {
    const std::string post = std::string(spec.mlp_post_norm) + (spec.mlp_post_norm.empty() ? "" : suffix);
    return Half{norm("ffn_norm" + suffix), optional_norm(spec.norm, spec.width, name + ".", post, weights),
                Mlp(half_spec(spec), spec.width, name, weights, suffix)};
  };
  return {.first = half(""),
          .attention_norm = norm(spec.attention_norm),
          .attention_post_norm = optional_norm(spec.norm, spec.width, name + ".", spec.attention_post_norm, weights),
          .attention = RelativeAttention(spec, name, weights),
          .convolution_norm = norm(spec.convolution_norm),
          .convolution = ConformerConvolution(spec, name, weights),
          .second = half("_1"),
          .norm = norm("ln2")};
}

Conformer::Conformer(const ConformerSpec& spec, const std::string& prefix, Weights& weights) : spec_(spec) {
  for (std::size_t i = 0; i < spec.layers; ++i) layers_.push_back(make_layer(spec, prefix + "blk." + std::to_string(i), weights));
  if (spec.guesses_after == 0) return;
  const std::size_t guessed = std::max<std::size_t>(weights.outputs(prefix + "enc_ctc_out.weight"), 1);
  guesses_ = weights.linear(prefix + "enc_ctc_out", guessed, spec.width);
  of_guesses_ = weights.linear(prefix + "enc_ctc_out_mid", spec.width, guessed);
}

ScratchNeed Conformer::need(std::size_t rows, std::size_t threads) const {
  ScratchNeed inner = Mlp::need(half_spec(spec_), {spec_.width, rows, rows, threads});
  inner.either(RelativeAttention::need(spec_, rows, threads));
  for (const Layer& layer : layers_) inner.either(layer.convolution.need(rows));
  if (guesses_) {
    const std::size_t guessed = guesses_->matrix.rows;
    inner.either(ScratchNeed().allocate<float>(std::uint64_t{rows} * guessed).product(rows, guessed));
  }
  return ScratchNeed().allocate<float>(std::uint64_t{rows} * spec_.width).with(inner);
}

/// x += half the MLP's output.
void Conformer::Half::operator()(Activations x, float* h, Pass& pass) const noexcept {
  norm(x, h, pass);
  const Activations made{h, x.tokens, x.width};
  mlp(made, pass);
  if (post_norm) (*post_norm)(made, h, pass);
  pass.kernels.add_scaled(x.data, h, 0.5f, x.tokens * x.width);
}

void Conformer::add_guesses(Activations x, float* h, Pass& pass) const noexcept {
  const Scratch::Scope scope(pass.scratch);
  const std::size_t guessed = guesses_->matrix.rows;
  float* const scores = pass.scratch.allocate<float>(x.tokens * guessed);
  project(x.data, x.tokens, {{&*guesses_, scores}}, pass);
  pass.pool.parallel_for(x.tokens, 8, [&](std::size_t begin, std::size_t end, std::size_t) noexcept {
    for (std::size_t t = begin; t < end; ++t) pass.kernels.softmax(scores + t * guessed, guessed);
  });
  project(scores, x.tokens, {{&*of_guesses_, h}}, pass);
  pass.kernels.add(x.data, h, x.tokens * x.width);
}

void Conformer::keep(Activations x, std::size_t layers, float* out) const noexcept {
  for (std::size_t i = 0; i < spec_.kept.size(); ++i)
    if (spec_.kept[i] == layers)
      for (std::size_t t = 0; t < x.tokens; ++t) std::copy_n(x.data + t * x.width, x.width, out + t * width() + i * x.width);
}

bool Conformer::operator()(Activations x, float* out, Pass& pass) const noexcept {
  const Scratch::Scope scope(pass.scratch);
  float* const h = pass.scratch.allocate<float>(x.tokens * x.width);
  const Activations made{h, x.tokens, x.width};
  keep(x, 0, out);
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    if (pass.canceled()) return false;
    const Layer& layer = layers_[i];
    layer.first(x, h, pass);
    layer.attention_norm(x, h, pass);
    layer.attention(made, pass);
    if (layer.attention_post_norm) (*layer.attention_post_norm)(made, h, pass);
    pass.kernels.add(x.data, h, x.tokens * x.width);
    layer.convolution_norm(x, h, pass);
    layer.convolution(made, pass);
    pass.kernels.add(x.data, h, x.tokens * x.width);
    layer.second(x, h, pass);
    layer.norm(x, x.data, pass);
    keep(x, i + 1, out);
    if (guesses_ && i + 1 == spec_.guesses_after) add_guesses(x, h, pass);
  }
  for (std::size_t t = 0; t < x.tokens; ++t) std::copy_n(x.data + t * x.width, x.width, out + (t + 1) * width() - x.width);
  return true;
}

}  // namespace heed::nn

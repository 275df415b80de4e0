// The layers of a conformer (ConformerSpec).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "nn/hearing/relative_attention.hpp"
#include "nn/mlp.hpp"
#include "nn/norm.hpp"

namespace heed::nn {

/// A depthwise convolution over time, between two matrices; the first gives each channel and its gate.
class ConformerConvolution {
 public:
  static constexpr std::size_t kMostTaps = 64;

  /// Takes conv_pw1, conv_dw, the norm and conv_pw2 of the layer `name`.
  ConformerConvolution(const ConformerSpec& spec, const std::string& name, Weights& weights);

  ScratchNeed need(std::size_t rows) const;

  /// x: T x D, replaced by the output.
  void operator()(Activations x, Pass& pass) const noexcept;

 private:
  void norm(float* row, Pass& pass) const noexcept;

  ConformerSpec spec_;
  std::size_t channels_;
  Linear in_, out_;
  Buffer<float> taps_, bias_;  // taps x channels; channels, or empty
  std::optional<Norm> norm_;
  Buffer<float> factor_, shift_, mean_, variance_;  // channels, or empty
};

class Conformer {
 public:
  Conformer(const ConformerSpec& spec, const std::string& prefix, Weights& weights);

  /// The width of an output row.
  std::size_t width() const noexcept { return (1 + spec_.kept.size()) * spec_.width; }
  ScratchNeed need(std::size_t rows, std::size_t threads) const;

  /// x: T x D, overwritten; out: T x width(). Returns false if canceled.
  bool operator()(Activations x, float* out, Pass& pass) const noexcept;

 private:
  struct Half {
    Norm norm;
    std::optional<Norm> post_norm;
    Mlp mlp;

    void operator()(Activations x, float* h, Pass& pass) const noexcept;
  };
  struct Layer {
    Half first;
    Norm attention_norm;
    std::optional<Norm> attention_post_norm;
    RelativeAttention attention;
    Norm convolution_norm;
    ConformerConvolution convolution;
    Half second;
    Norm norm;
  };
  static Layer make_layer(const ConformerSpec& spec, const std::string& name, Weights& weights);
  void add_guesses(Activations x, float* h, Pass& pass) const noexcept;
  void keep(Activations x, std::size_t layers, float* out) const noexcept;

  ConformerSpec spec_;
  std::vector<Layer> layers_;
  std::optional<Linear> guesses_, of_guesses_;
};

}  // namespace heed::nn

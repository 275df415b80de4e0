// Sublayers around the residual stream: x = residual_norm(x + post_norm(mix(pre_norm(x)))).
#pragma once

#include "unit/nn/naive/experts.hpp"
#include "unit/nn/naive/latent_attention.hpp"
#include "unit/nn/naive/linear_attention.hpp"
#include "unit/nn/naive/position_bias.hpp"
#include "unit/nn/naive/short_convolution.hpp"

namespace heed::test::naive {

class Stack {
 public:
  /// `encoded`: what cross-attention attends to. `positions`: what there is room for.
  Stack(const nn::StackSpec& spec, const Sequence& encoded, std::size_t positions,
        const Parameters& parameters)
      : spec_(spec), encoded_(encoded), positions_(positions), parameters_(parameters) {}

  Sequence operator()(Sequence x) const {
    for (std::size_t i = 0; i < spec_.layers.size(); ++i) {
      const nn::LayerSpec& layer = spec_.layers[i];
      const std::string name = block(i);
      const Sequence given = x;
      for (const nn::SublayerSpec& sublayer : layer.sublayers) {
        const bool serial = !layer.parallel || (layer.serial_last && &sublayer == layer.sublayers.end() - 1);
        const Sequence added = branch(sublayer, serial ? x : given, given, name);
        for (std::size_t t = 0; t < x.size(); ++t) {
          add(x[t], added[t], spec_.residual_scale);
          x[t] = norm(spec_.norm, x[t], name, sublayer.residual_norm, parameters_);
        }
      }
    }
    for (Vector& v : x) v = norm(spec_.norm, v, std::string(spec_.prefix), spec_.final_norm, parameters_);
    return x;
  }

 private:
  std::string block(std::size_t i) const {
    return std::string(spec_.prefix) + "blk." + std::to_string(i) + ".";
  }

  Sequence branch(const nn::SublayerSpec& sublayer, Sequence h, const Sequence& given, const std::string& name) const {
    for (Vector& v : h) v = norm(spec_.norm, v, name, sublayer.pre_norm, parameters_);
    h = mix(sublayer.mix, h, given, name);
    for (Vector& v : h) v = norm(spec_.norm, v, name, sublayer.post_norm, parameters_);
    return h;
  }

  Sequence mix(const nn::SublayerSpec::Mix& mix, Sequence h, const Sequence& given, const std::string& name) const {
    if (const auto* s = std::get_if<nn::AttentionSpec>(&mix))
      return attention(
          *s, h, encoded_, name, positions_,
          [&](std::size_t head, std::size_t query, std::size_t key) {
            return spec_.bias && !s->cross
                       ? position_bias(*spec_.bias, *s, head, query, key, block(0), parameters_)
                       : 0.0;
          },
          parameters_);
    if (const auto* s = std::get_if<nn::LatentAttentionSpec>(&mix))
      return latent_attention(*s, h, name, positions_, parameters_);
    if (const auto* s = std::get_if<nn::ShortConvolutionSpec>(&mix))
      return short_convolution(*s, h, name, parameters_);
    if (const auto* s = std::get_if<nn::GatedDeltaNetSpec>(&mix)) return gated_delta_net(*s, h, name, parameters_);
    if (const auto* s = std::get_if<nn::Mamba2Spec>(&mix)) return mamba2(*s, h, name, parameters_);
    if (const auto* s = std::get_if<nn::ExpertsSpec>(&mix))
      for (std::size_t t = 0; t < h.size(); ++t) h[t] = experts(*s, h[t], given[t], name, parameters_);
    if (const auto* s = std::get_if<nn::MlpSpec>(&mix))
      for (Vector& v : h) v = mlp(*s, v, name, parameters_);
    return h;
  }

  const nn::StackSpec& spec_;
  const Sequence& encoded_;
  std::size_t positions_;
  const Parameters& parameters_;
};

}  // namespace heed::test::naive

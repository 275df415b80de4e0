// Sublayers around the residual stream: x = residual_norm(x + post_norm(mix(pre_norm(x)))), and perhaps what the layer was given
// once more.
#pragma once

#include "unit/nn/naive/alt_up.hpp"
#include "unit/nn/naive/experts.hpp"
#include "unit/nn/naive/latent_attention.hpp"
#include "unit/nn/naive/linear_attention.hpp"
#include "unit/nn/naive/per_layer.hpp"
#include "unit/nn/naive/position_bias.hpp"
#include "unit/nn/naive/short_convolution.hpp"

namespace heed::test::naive {

class Stack {
 public:
  /// `encoded`: what cross-attention attends to. `positions`: what there is room for.
  Stack(const nn::StackSpec& spec, const Sequence& encoded, std::size_t positions, const Parameters& parameters)
      : spec_(spec), encoded_(encoded), positions_(positions), parameters_(parameters) {}

  /// `inputs`: what each layer is told of each token, where it is.
  Sequence operator()(Sequence x, const std::vector<Sequence>& inputs = {}) const {
    std::vector<KeysAndValues> kept;
    std::vector<Streams> streams;  // of each token
    if (spec_.alt_up)
      for (const Vector& v : x) streams.push_back(begin_streams(*spec_.alt_up, v, parameters_));
    for (std::size_t i = 0; i < spec_.layers.size(); ++i) {
      for (std::size_t t = 0; t < streams.size(); ++t) {
        streams[t] = predict_streams(*spec_.alt_up, streams[t], block(i), parameters_);
        x[t] = streams[t][0];
      }
      x = layer(std::move(x), i, kept, inputs);
      for (std::size_t t = 0; t < streams.size(); ++t)
        x[t] = (streams[t] = correct_streams(*spec_.alt_up, streams[t], x[t], block(i), parameters_))[0];
      if (spec_.alt_up && spec_.alt_up->others) tell_others(streams, x, i, kept, inputs);
    }
    for (std::size_t t = 0; t < streams.size(); ++t) x[t] = end_streams(*spec_.alt_up, streams[t], parameters_);
    for (Vector& v : x) v = norm(spec_.norm, v, std::string(spec_.prefix), spec_.final_norm, parameters_);
    return x;
  }

 private:
  Sequence layer(Sequence x, std::size_t i, std::vector<KeysAndValues>& kept, const std::vector<Sequence>& inputs) const {
    const nn::LayerSpec& layer = spec_.layers[i];
    const std::string name = block(i);
    const Sequence given = x;
    kept.emplace_back();
    for (const nn::SublayerSpec& sublayer : layer.sublayers) {
      const bool serial = !layer.parallel || (layer.serial_last && &sublayer == layer.sublayers.end() - 1);
      const Sequence added = branch(sublayer, serial ? x : given, given, i, kept, inputs);
      for (std::size_t t = 0; t < x.size(); ++t) {
        add(x[t], added[t], spec_.residual_scale);
        for (double& v : x[t]) v *= sublayer.scale;
        x[t] = norm(spec_.norm, x[t], name, sublayer.residual_norm, parameters_);
        if (!parameters_.has(name + std::string(sublayer.again_norm) + ".weight")) continue;
        add(x[t], given[t]);
        x[t] = norm(spec_.norm, x[t], name, sublayer.again_norm, parameters_);
      }
    }
    const std::string scale = name + std::string(layer.output_scale) + ".weight";
    if (!layer.output_scale.empty() && parameters_.has(scale))
      for (Vector& v : x)
        for (double& value : v) value *= parameters_.values(scale)[0];
    return x;
  }

  void tell_others(std::vector<Streams>& streams, Sequence x, std::size_t i, std::vector<KeysAndValues>& kept,
                   const std::vector<Sequence>& inputs) const {
    const Vector scale = parameters_.values(block(i) + "altup_correct_scale.weight");
    for (Vector& v : x)
      for (std::size_t k = 0; k < v.size(); ++k) v[k] *= scale[k];
    const Sequence told = branch(*spec_.alt_up->others, x, x, i, kept, inputs);
    for (std::size_t t = 0; t < x.size(); ++t)
      for (std::size_t j = 1; j < streams[t].size(); ++j) add(streams[t][j], told[t]);
  }

  std::string block(std::size_t i) const { return std::string(spec_.prefix) + "blk." + std::to_string(i) + "."; }

  Sequence branch(const nn::SublayerSpec& sublayer, Sequence h, const Sequence& given, std::size_t i,
                  std::vector<KeysAndValues>& kept, const std::vector<Sequence>& inputs) const {
    const std::string name = block(i);
    for (Vector& v : h) v = norm(spec_.norm, v, name, sublayer.pre_norm, parameters_);
    if (const auto* s = std::get_if<nn::PerLayerInputSpec>(&sublayer.mix)) h = per_layer_input(*s, h, inputs[i], name, parameters_);
    else h = mix(sublayer.mix, h, given, name, kept);
    for (Vector& v : h) v = norm(spec_.norm, v, name, sublayer.post_norm, parameters_);
    return h;
  }

  Sequence mix(const nn::SublayerSpec::Mix& mix, Sequence h, const Sequence& given, const std::string& name,
               std::vector<KeysAndValues>& kept) const {
    if (const auto* s = std::get_if<nn::AttentionSpec>(&mix))
      return attention(
          *s, h, encoded_, name, positions_,
          [&](std::size_t head, std::size_t query, std::size_t key) {
            return spec_.bias && !s->cross ? position_bias(*spec_.bias, *s, head, query, key, block(0), parameters_) : 0.0;
          },
          kept, parameters_);
    if (const auto* s = std::get_if<nn::LatentAttentionSpec>(&mix)) return latent_attention(*s, h, name, positions_, parameters_);
    if (const auto* s = std::get_if<nn::ShortConvolutionSpec>(&mix)) return short_convolution(*s, h, name, parameters_);
    if (const auto* s = std::get_if<nn::GatedDeltaNetSpec>(&mix)) return gated_delta_net(*s, h, name, parameters_);
    if (const auto* s = std::get_if<nn::Mamba2Spec>(&mix)) return mamba2(*s, h, name, parameters_);
    if (const auto* s = std::get_if<nn::ExpertsSpec>(&mix))
      for (std::size_t t = 0; t < h.size(); ++t) h[t] = experts(*s, h[t], given[t], name, parameters_);
    if (const auto* s = std::get_if<nn::LaurelSpec>(&mix))
      for (Vector& v : h) v = laurel(*s, v, name, parameters_);
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

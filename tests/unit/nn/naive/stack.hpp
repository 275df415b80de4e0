// Sublayers around the residual stream: x = residual_norm(x + post_norm(block(pre_norm(x)))), and the layer's input once more if
// the file has a norm for that.
#pragma once

#include "unit/nn/naive/alt_up.hpp"
#include "unit/nn/naive/experts.hpp"
#include "unit/nn/naive/latent_attention.hpp"
#include "unit/nn/naive/linear_attention.hpp"
#include "unit/nn/naive/per_layer.hpp"
#include "unit/nn/naive/position_bias.hpp"
#include "unit/nn/naive/recurrent.hpp"
#include "unit/nn/naive/short_convolution.hpp"

namespace heed::test::naive {

class Stack {
 public:
  /// `encoded`: the encoder's output for cross-attention. `positions`: the context length.
  Stack(const nn::StackSpec& spec, const Sequence& encoded, std::size_t positions, const Parameters& parameters)
      : spec_(spec), encoded_(encoded), positions_(positions), parameters_(parameters) {}

  /// `inputs`: by token, the additions to each layer.
  Sequence operator()(Sequence x, const std::vector<Sequence>& inputs = {}) const {
    const Sequence first = x;
    Sequence high = x, low;
    if (spec_.layers[0].begins_turn) low.assign(x.size(), parameters_.values("hrm.z_l_init"));
    std::vector<KeysAndValues> kept;
    std::vector<Streams> streams;  // of each token
    if (spec_.alt_up)
      for (const Vector& v : x) streams.push_back(begin_streams(*spec_.alt_up, v, parameters_));
    for (std::size_t i = 0; i < spec_.layers.size(); ++i) {
      for (std::size_t t = 0; t < streams.size(); ++t) {
        streams[t] = predict_streams(*spec_.alt_up, streams[t], block(i), parameters_);
        x[t] = streams[t][0];
      }
      for (std::size_t t = 0; spec_.layers[i].begins_turn && t < x.size(); ++t) add(x[t] = high[t], low[t]);
      x = layer(std::move(x), i, kept, inputs);
      for (std::size_t t = 0; t < x.size(); ++t) {
        if (const std::string share(spec_.layers[i].input_share); !share.empty())
          add(x[t], first[t], parameters_.values(block(i) + share + ".weight")[0]);
        x[t] = norm(spec_.norm, x[t], std::string(spec_.prefix), spec_.layers[i].turn_norm, parameters_);
      }
      if (spec_.layers[i].ends_turn != nn::Turn::none) (spec_.layers[i].ends_turn == nn::Turn::low ? low : high) = x;
      for (std::size_t t = 0; t < streams.size(); ++t)
        x[t] = (streams[t] = correct_streams(*spec_.alt_up, streams[t], x[t], block(i), parameters_))[0];
      if (spec_.alt_up && spec_.alt_up->others) add_to_others(streams, x, i, kept, inputs);
    }
    for (std::size_t t = 0; t < streams.size(); ++t) x[t] = end_streams(*spec_.alt_up, streams[t], parameters_);
    for (Vector& v : x) v = norm(spec_.norm, v, std::string(spec_.prefix), spec_.final_norm, parameters_);
    return x;
  }

 private:
  Sequence layer(Sequence x, std::size_t i, std::vector<KeysAndValues>& kept, const std::vector<Sequence>& inputs) const {
    const nn::LayerSpec& layer = spec_.layers[i];
    const std::string name = block(i);
    const Sequence input = x;
    kept.emplace_back();
    for (const nn::SublayerSpec& sublayer : layer.sublayers) {
      const bool serial = !layer.parallel || (layer.serial_last && &sublayer == layer.sublayers.end() - 1);
      const Sequence added = branch(sublayer, serial ? x : input, input, i, kept, inputs);
      for (std::size_t t = 0; t < x.size(); ++t) {
        add(x[t], added[t], spec_.residual_scale * sublayer.factor);
        for (double& v : x[t]) v *= sublayer.scale;
        x[t] = norm(spec_.norm, x[t], name, sublayer.residual_norm, parameters_);
        if (!parameters_.has(name + std::string(sublayer.again_norm) + ".weight")) continue;
        add(x[t], input[t]);
        x[t] = norm(spec_.norm, x[t], name, sublayer.again_norm, parameters_);
      }
    }
    const std::string scale = name + std::string(layer.output_scale) + ".weight";
    if (!layer.output_scale.empty() && parameters_.has(scale))
      for (Vector& v : x)
        for (std::size_t k = 0; k < v.size(); ++k) v[k] *= parameters_.values(scale)[parameters_.values(scale).size() == 1 ? 0 : k];
    return x;
  }

  void add_to_others(std::vector<Streams>& streams, Sequence x, std::size_t i, std::vector<KeysAndValues>& kept,
                     const std::vector<Sequence>& inputs) const {
    const Vector scale = parameters_.values(block(i) + "altup_correct_scale.weight");
    for (Vector& v : x)
      for (std::size_t k = 0; k < v.size(); ++k) v[k] *= scale[k];
    const Sequence added = branch(*spec_.alt_up->others, x, x, i, kept, inputs);
    for (std::size_t t = 0; t < x.size(); ++t)
      for (std::size_t j = 1; j < streams[t].size(); ++j) add(streams[t][j], added[t]);
  }

  std::string block(std::size_t i) const {
    return std::string(spec_.prefix) + "blk." + std::to_string(spec_.layers[i].block.value_or(i)) + ".";
  }

  Sequence branch(const nn::SublayerSpec& sublayer, Sequence h, const Sequence& layer_input, std::size_t i,
                  std::vector<KeysAndValues>& kept, const std::vector<Sequence>& inputs) const {
    const std::string name = block(i);
    for (Vector& v : h) v = norm(spec_.norm, v, name, sublayer.pre_norm, parameters_);
    const Context context{name, layer_input, inputs.empty() ? nullptr : &inputs[i], kept};
    h = std::visit([&](const auto& spec) { return run(spec, std::move(h), context); }, sublayer.block);
    for (Vector& v : h) v = norm(spec_.post_norm.value_or(spec_.norm), v, name, sublayer.post_norm, parameters_);
    return h;
  }

  /// A block's inputs besides h.
  struct Context {
    const std::string& name;  // prefix of the layer's tensors
    const Sequence& layer_input;
    const Sequence* per_layer_input;
    std::vector<KeysAndValues>& kept;
  };
  Sequence run(const nn::AttentionSpec& spec, Sequence h, const Context& context) const {
    return attention(
        spec, h, encoded_, context.name, positions_,
        [&](std::size_t head, std::size_t query, std::size_t key) {
          return spec_.bias && !spec.cross ? position_bias(*spec_.bias, spec, head, query, key, block(0), parameters_) : 0.0;
        },
        context.kept, parameters_);
  }
  Sequence run(const nn::LatentAttentionSpec& spec, Sequence h, const Context& context) const {
    return latent_attention(spec, h, context.name, positions_, parameters_);
  }
  Sequence run(const nn::ShortConvolutionSpec& spec, Sequence h, const Context& context) const {
    return short_convolution(spec, h, context.name, parameters_);
  }
  Sequence run(const nn::GatedDeltaNetSpec& spec, Sequence h, const Context& context) const {
    return gated_delta_net(spec, h, context.name, parameters_);
  }
  Sequence run(const nn::Mamba2Spec& spec, Sequence h, const Context& context) const {
    return mamba2(spec, h, context.name, parameters_);
  }
  Sequence run(const nn::MlpSpec& spec, Sequence h, const Context& context) const {
    for (Vector& v : h) v = mlp(spec, v, context.name, parameters_);
    return h;
  }
  Sequence run(const nn::ExpertsSpec& spec, Sequence h, const Context& context) const {
    for (std::size_t t = 0; t < h.size(); ++t) h[t] = experts(spec, h[t], context.layer_input[t], context.name, parameters_);
    return h;
  }
  Sequence run(const nn::PerLayerInputSpec& spec, Sequence h, const Context& context) const {
    return per_layer_input(spec, h, *context.per_layer_input, context.name, parameters_);
  }
  Sequence run(const nn::MambaSpec& spec, Sequence h, const Context& context) const {
    return mamba(spec, h, context.name, parameters_);
  }
  Sequence run(const nn::RwkvTimeMixSpec& spec, Sequence h, const Context& context) const {
    return rwkv_time_mix(spec, h, context.name, first_values_, parameters_);
  }
  Sequence run(const nn::RwkvChannelMixSpec& spec, Sequence h, const Context& context) const {
    return rwkv_channel_mix(spec, h, context.name, parameters_);
  }
  Sequence run(const nn::KimiDeltaSpec& spec, Sequence h, const Context& context) const {
    return kimi_delta(spec, h, context.name, parameters_);
  }
  Sequence run(const nn::MatrixSpec&, Sequence h, const Context& context) const {
    for (Vector& v : h) v = parameters_.linear(context.name + "attn_output", v);
    return h;
  }
  Sequence run(const nn::LaurelSpec& spec, Sequence h, const Context& context) const {
    for (Vector& v : h) v = laurel(spec, v, context.name, parameters_);
    return h;
  }

  const nn::StackSpec& spec_;
  const Sequence& encoded_;
  std::size_t positions_;
  mutable Sequence first_values_ = {};  // of RWKV 7
  const Parameters& parameters_;
};

}  // namespace heed::test::naive

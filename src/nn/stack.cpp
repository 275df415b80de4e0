#include "nn/stack.hpp"

#include <algorithm>
#include <string>

#include "nn/alt_up.hpp"
#include "nn/attention.hpp"
#include "nn/experts.hpp"
#include "nn/gated_delta_net.hpp"
#include "nn/latent_attention.hpp"
#include "nn/laurel.hpp"
#include "nn/mamba2.hpp"
#include "nn/mlp.hpp"
#include "nn/per_layer_input.hpp"
#include "nn/short_convolution.hpp"

namespace heed::nn {
namespace {

template <class... F>
struct Overload : F... {
  using F::operator()...;
};

const Rope* find_rope(const RopeSpec& spec, const std::vector<Rope>& ropes) {
  const auto found = std::find_if(ropes.begin(), ropes.end(), [&](const Rope& rope) { return rope.spec() == spec; });
  return &*found;
}

std::unique_ptr<Block> make_mix(const SublayerSpec::Mix& mix, std::size_t width, const std::string& layer,
                                const std::vector<Rope>& ropes, Weights& weights) {
  using Made = std::unique_ptr<Block>;
  return std::visit(
      Overload{[&](const AttentionSpec& s) -> Made {
                 const Rope* rope = s.rope ? find_rope(*s.rope, ropes) : nullptr;
                 return std::make_unique<Attention>(s, width, layer, rope, weights);
               },
               [&](const LatentAttentionSpec& s) -> Made {
                 return std::make_unique<LatentAttention>(s, width, layer, find_rope(s.rope, ropes), weights);
               },
               [&](const ShortConvolutionSpec& s) -> Made { return std::make_unique<ShortConvolution>(s, width, layer, weights); },
               [&](const GatedDeltaNetSpec& s) -> Made { return std::make_unique<GatedDeltaNet>(s, width, layer, weights); },
               [&](const Mamba2Spec& s) -> Made { return std::make_unique<Mamba2>(s, width, layer, weights); },
               [&](const MlpSpec& s) -> Made { return std::make_unique<Mlp>(s, width, layer, weights); },
               [&](const ExpertsSpec& s) -> Made { return std::make_unique<Experts>(s, width, layer, weights); },
               [&](const PerLayerInputSpec& s) -> Made { return std::make_unique<PerLayerInput>(s, width, layer, weights); },
               [&](const LaurelSpec& s) -> Made { return std::make_unique<Laurel>(s, width, layer, weights); }},
      mix);
}

ScratchNeed mix_need(const SublayerSpec::Mix& mix, const PassLimits& limits) {
  return std::visit(Overload{[&](const AttentionSpec& s) { return Attention::need(s, limits); },
                             [&](const LatentAttentionSpec& s) { return LatentAttention::need(s, limits); },
                             [&](const ShortConvolutionSpec& s) { return ShortConvolution::need(s, limits); },
                             [&](const GatedDeltaNetSpec& s) { return GatedDeltaNet::need(s, limits); },
                             [&](const Mamba2Spec& s) { return Mamba2::need(s, limits); },
                             [&](const MlpSpec& s) { return Mlp::need(s, limits); },
                             [&](const ExpertsSpec& s) { return Experts::need(s, limits); },
                             [&](const PerLayerInputSpec& s) { return PerLayerInput::need(s, limits); },
                             [&](const LaurelSpec& s) { return Laurel::need(s, limits); }},
                    mix);
}

/// Whether a copy of what the layer was given is read later on.
bool keeps_given(const LayerSpec& layer) {
  return layer.parallel || std::any_of(layer.sublayers.begin(), layer.sublayers.end(), [](const SublayerSpec& sublayer) {
           const auto* experts = std::get_if<ExpertsSpec>(&sublayer.mix);
           return (experts && experts->routed_early) || !sublayer.again_norm.empty();
         });
}

/// The attention that the bias of the stack belongs to.
const AttentionSpec* first_self_attention(const StackSpec& spec) {
  for (const LayerSpec& layer : spec.layers)
    if (const AttentionSpec* attention = self_attention(layer)) return attention;
  return nullptr;
}

}  // namespace

Sublayer::Sublayer(const SublayerSpec& spec, const StackSpec& stack, const std::string& layer, const std::vector<Rope>& ropes,
                   Weights& weights)
    : residual_scale_(stack.residual_scale),
      scale_(spec.scale),
      pre_norm_(optional_norm(stack.norm, stack.width, layer + ".", spec.pre_norm, weights)),
      post_norm_(optional_norm(stack.norm, stack.width, layer + ".", spec.post_norm, weights)),
      residual_norm_(optional_norm(stack.norm, stack.width, layer + ".", spec.residual_norm, weights)),
      mix_(make_mix(spec.mix, stack.width, layer, ropes, weights)) {
  if (weights.contains(layer + "." + std::string(spec.again_norm) + ".weight"))
    again_norm_ = optional_norm(stack.norm, stack.width, layer + ".", spec.again_norm, weights);
}

void Sublayer::operator()(Activations x, Pass& pass) const noexcept {
  const Scratch::Scope scope(pass.scratch);
  const Activations h{pass.scratch.take<float>(x.tokens * x.width), x.tokens, x.width};
  branch(x, h, pass);
  join(x, h, pass);
}

void Sublayer::branch(Activations x, Activations h, Pass& pass) const noexcept {
  if (pre_norm_) (*pre_norm_)(x, h.data, pass);
  else std::copy_n(x.data, x.tokens * x.width, h.data);
  (*mix_)(h, pass);
  if (post_norm_) (*post_norm_)(h, h.data, pass);
}

void Sublayer::join(Activations x, Activations h, Pass& pass) const noexcept {
  if (residual_scale_ == 1.0f) pass.kernels.add(x.data, h.data, x.tokens * x.width);
  else pass.kernels.add_scaled(x.data, h.data, residual_scale_, x.tokens * x.width);
  if (scale_ != 1.0f) pass.kernels.scale(x.data, scale_, x.tokens * x.width);
  if (residual_norm_) (*residual_norm_)(x, x.data, pass);
  if (!again_norm_) return;
  pass.kernels.add(x.data, pass.given, x.tokens * x.width);
  (*again_norm_)(x, x.data, pass);
}

Layer::Layer(const LayerSpec& spec, const StackSpec& stack, const std::string& name, const std::vector<Rope>& ropes,
             Weights& weights)
    : parallel_(spec.parallel ? spec.sublayers.size() - (spec.serial_last ? 1 : 0) : 0), keeps_given_(keeps_given(spec)) {
  sublayers_.reserve(spec.sublayers.size());
  for (const SublayerSpec& sublayer : spec.sublayers) sublayers_.emplace_back(sublayer, stack, name, ropes, weights);
  if (!spec.output_scale.empty())
    output_scale_ = weights.optional_vector(name + "." + std::string(spec.output_scale) + ".weight", 1);
}

void Layer::operator()(Activations x, Pass& pass) const noexcept {
  const Scratch::Scope scope(pass.scratch);
  Activations given = x;
  if (keeps_given_) {
    given.data = pass.scratch.take<float>(x.tokens * x.width);
    std::copy_n(x.data, x.tokens * x.width, given.data);
    pass.given = given.data;
  }
  if (parallel_ > 0) {
    const Scratch::Scope branches(pass.scratch);  // what follows has the same room again
    const Activations h{pass.scratch.take<float>(x.tokens * x.width), x.tokens, x.width};
    for (std::size_t i = 0; i < parallel_; ++i) {
      sublayers_[i].branch(given, h, pass);
      sublayers_[i].join(x, h, pass);
    }
  }
  for (std::size_t i = parallel_; i < sublayers_.size(); ++i) sublayers_[i](x, pass);
  if (!output_scale_.empty()) pass.kernels.scale(x.data, output_scale_[0], x.tokens * x.width);
}

Stack::Stack(const StackSpec& spec, std::size_t positions, Weights& weights) {
  const std::vector<RopeSpec> ropes = ropes_of(spec);
  for (std::size_t slot = 0; slot < ropes.size(); ++slot) ropes_.emplace_back(ropes[slot], slot, positions, weights);
  if (const AttentionSpec* attention = first_self_attention(spec); spec.bias && attention)
    bias_.emplace(*spec.bias, attention->heads, attention->mask, spec.prefix, weights);
  layers_.reserve(spec.layers.size());
  const std::string prefix(spec.prefix);
  for (std::size_t i = 0; i < spec.layers.size(); ++i)
    layers_.emplace_back(spec.layers[i], spec, prefix + "blk." + std::to_string(i), ropes_, weights);
  for (std::size_t i = 0; i < spec.drafts; ++i) weights.leave(prefix + "blk." + std::to_string(spec.layers.size() + i) + ".");
  if (spec.alt_up) {
    alt_up_ = std::make_unique<AltUp>(*spec.alt_up, spec.width, weights);
    for (std::size_t i = 0; i < spec.layers.size(); ++i)
      alt_up_->add_layer(spec, prefix + "blk." + std::to_string(i), ropes_, weights);
  }
  final_norm_ = optional_norm(spec.norm, spec.width, prefix, spec.final_norm, weights);
}

Stack::Stack(Stack&&) noexcept = default;
Stack::~Stack() = default;

ScratchNeed Stack::need(const StackSpec& spec, const PassLimits& limits) {
  ScratchNeed mixes;
  bool keeps = false;
  for (const LayerSpec& layer : spec.layers) {
    keeps = keeps || keeps_given(layer);
    for (const SublayerSpec& sublayer : layer.sublayers) mixes.either(mix_need(sublayer.mix, limits));
  }
  ScratchNeed need;
  for (const RopeSpec& rope : ropes_of(spec)) need.with(Rope::need(rope, limits)).take<Angles>(1);
  if (spec.bias) need.with(PositionBias::need(first_self_attention(spec)->heads, limits));
  if (spec.alt_up) {
    if (spec.alt_up->others) mixes.either(mix_need(spec.alt_up->others->mix, limits));
    need.with(AltUp::need(*spec.alt_up, limits));
  }
  const std::uint64_t count = limits.tokens * spec.width;
  need.take<float>(count).take<float>(keeps ? count : 0);
  return need.with(mixes);
}

std::vector<CacheLayer> Stack::cache_layers(const StackSpec& spec) {
  std::vector<CacheLayer> layers;
  for (const LayerSpec& layer : spec.layers) {
    CacheLayer kept;
    for (const SublayerSpec& sublayer : layer.sublayers) {
      CacheLayer more;
      if (const auto* s = std::get_if<AttentionSpec>(&sublayer.mix); s && !s->cross) more = Attention::cache_layer(*s);
      if (const auto* s = std::get_if<LatentAttentionSpec>(&sublayer.mix)) more = LatentAttention::cache_layer(*s);
      if (const auto* s = std::get_if<ShortConvolutionSpec>(&sublayer.mix)) more = ShortConvolution::cache_layer(*s, spec.width);
      if (const auto* s = std::get_if<GatedDeltaNetSpec>(&sublayer.mix)) more = GatedDeltaNet::cache_layer(*s);
      if (const auto* s = std::get_if<Mamba2Spec>(&sublayer.mix)) more = Mamba2::cache_layer(*s);
      more.state += kept.state;  // one of the sublayers has some, at most
      if (more.kv_heads == 0) kept.state = more.state;
      else kept = more;
    }
    layers.push_back(kept);
  }
  return layers;
}

std::vector<CacheLayer> Stack::memory_layers(const StackSpec& spec) {
  std::vector<CacheLayer> layers;
  for (const LayerSpec& layer : spec.layers) {
    CacheLayer kept;
    for (const SublayerSpec& sublayer : layer.sublayers)
      if (const auto* s = std::get_if<AttentionSpec>(&sublayer.mix); s && s->cross) kept = Attention::cache_layer(*s);
    layers.push_back(kept);
  }
  return layers;
}

bool Stack::operator()(Activations x, Pass& pass) const noexcept {
  const Scratch::Scope scope(pass.scratch);
  pass.angles = pass.scratch.take<Angles>(ropes_.size());
  for (const Rope& rope : ropes_) rope.fill_angles(pass);
  if (bias_)
    for (Segment& segment : pass.segments) bias_->fill_table(segment, pass);
  AltUp::Streams streams;
  if (alt_up_) streams = alt_up_->begin(x, pass);
  for (pass.layer = 0; pass.layer < layers_.size(); ++pass.layer) {
    if (pass.cancelled()) return false;
    if (alt_up_) alt_up_->predict(streams, pass);
    layers_[pass.layer](x, pass);
    if (alt_up_) alt_up_->correct(streams, pass);
  }
  if (alt_up_) alt_up_->end(streams, pass);
  return true;
}

void Stack::finish(Activations x, Pass& pass) const noexcept {
  if (final_norm_) (*final_norm_)(x, x.data, pass);
}

void Stack::cache_encoder_output(Activations encoded, Pass& pass) const noexcept {
  for (pass.layer = 0; pass.layer < layers_.size(); ++pass.layer)
    for (const Sublayer& sublayer : layers_[pass.layer].sublayers()) sublayer.mix().cache_encoder_output(encoded, pass);
}

}  // namespace heed::nn

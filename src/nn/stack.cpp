#include "nn/stack.hpp"

#include <algorithm>
#include <string>

#include "nn/alt_up.hpp"
#include "nn/blocks.hpp"
#include "nn/shown_norm.hpp"

namespace heed::nn {
namespace {

/// The distinct ropes of a stack's blocks.
std::vector<RopeSpec> ropes_of(const StackSpec& spec) {
  std::vector<RopeSpec> ropes;
  for (const LayerSpec& layer : spec.layers)
    for (const SublayerSpec& sublayer : layer.sublayers) {
      const RopeSpec* const rope = block_traits(sublayer.block, spec.width).rope;
      if (rope && std::find(ropes.begin(), ropes.end(), *rope) == ropes.end()) ropes.push_back(*rope);
    }
  return ropes;
}

/// Whether a sublayer reads the layer's input after an earlier one has changed x.
bool keeps_input(const LayerSpec& layer, std::size_t width) {
  return layer.parallel || std::any_of(layer.sublayers.begin(), layer.sublayers.end(), [&](const SublayerSpec& sublayer) {
           return block_traits(sublayer.block, width).reads_layer_input || !sublayer.again_norm.empty();
         });
}

/// Whether layers add a multiple of the stack's input.
bool shares_input(const StackSpec& spec) {
  return std::any_of(spec.layers.begin(), spec.layers.end(), [](const LayerSpec& layer) { return !layer.input_share.empty(); });
}

bool keeps_first_values(const StackSpec& spec) {
  return std::any_of(spec.layers.begin(), spec.layers.end(), [&](const LayerSpec& layer) {
    return std::any_of(layer.sublayers.begin(), layer.sublayers.end(),
                       [&](const SublayerSpec& sublayer) { return block_traits(sublayer.block, spec.width).keeps_first_values; });
  });
}

bool has_turns(const StackSpec& spec) { return !spec.layers.empty() && spec.layers[0].begins_turn; }

/// The attention that determines the heads and the mask of the stack's position bias.
const AttentionSpec* first_self_attention(const StackSpec& spec) {
  for (const LayerSpec& layer : spec.layers)
    if (const AttentionSpec* attention = self_attention(layer)) return attention;
  return nullptr;
}

/// The place of a block's addition to the stream.
Place out_of(const BlockSpec& block, std::size_t width) {
  const BlockTraits traits = block_traits(block, width);
  return {traits.out, 0, traits.cross_heads.count > 0};
}

void scale_channels(Activations x, const Buffer<float>& scales) noexcept {
  for (std::size_t i = 0; i < x.tokens * x.width; ++i) x.data[i] *= scales[i % x.width];
}

/// Adds the current layer's part of each image row.
void add_deep_rows(Activations x, const Pass& pass) noexcept {
  for (std::size_t t = 0; t < x.tokens; ++t)
    if (const float* const row = pass.picture_row(t))
      pass.kernels.add(x.data + t * x.width, row + (1 + pass.layer) * x.width, x.width);
}

}  // namespace

Sublayer::Sublayer(const SublayerSpec& spec, const StackSpec& stack, const std::string& layer, const std::vector<Rope>& ropes,
                   Weights& weights)
    : residual_scale_(stack.residual_scale * spec.factor),
      scale_(spec.scale),
      out_(out_of(spec.block, stack.width)),
      around_(points_around(out_.point)),
      pre_norm_(optional_norm(stack.norm, stack.width, layer + ".", spec.pre_norm, weights)),
      post_norm_(optional_norm(stack.post_norm.value_or(stack.norm), stack.width, layer + ".", spec.post_norm, weights)),
      residual_norm_(optional_norm(stack.norm, stack.width, layer + ".", spec.residual_norm, weights)),
      block_(make_block(spec.block, stack.width, layer, ropes, weights)) {
  if (weights.contains(layer + "." + std::string(spec.again_norm) + ".weight"))
    again_norm_ = optional_norm(stack.norm, stack.width, layer + ".", spec.again_norm, weights);
  if (!spec.gain.empty()) gain_ = weights.optional_vector(layer + "." + std::string(spec.gain) + ".weight", stack.width);
}

void Sublayer::operator()(Activations x, Pass& pass) const noexcept {
  const Scratch::Scope scope(pass.scratch);
  const Activations h{pass.scratch.allocate<float>(x.tokens * x.width), x.tokens, x.width};
  branch(x, h, pass);
  join(x, h, pass);
}

void Sublayer::recall(Activations x, Pass& pass) const noexcept {
  const Scratch::Scope scope(pass.scratch);
  const Activations h{pass.scratch.allocate<float>(x.tokens * x.width), x.tokens, x.width};
  branch(x, h, pass, true);
  join(x, h, pass);
}

void Sublayer::branch(Activations x, Activations h, Pass& pass, bool remembered) const noexcept {
  if (!pre_norm_) std::copy_n(x.data, x.tokens * x.width, h.data);
  else if (around_) norm(*pre_norm_, x, h.data, around_->scale, around_->normalized, pass);
  else (*pre_norm_)(x, h.data, pass);
  if (around_) pass.visit({around_->in, pass.layer, out_.cross}, h.data, 1, h.width);
  if (remembered) block_->recall(h, pass);
  else (*block_)(h, pass);
  if (post_norm_ && around_ && around_->raw) {
    pass.visit({*around_->raw, pass.layer, out_.cross}, h.data, 1, h.width);
    norm(*post_norm_, h, h.data, around_->post_scale, *around_->post_scale, pass);
  } else if (post_norm_) {
    (*post_norm_)(h, h.data, pass);
  }
  if (!gain_.empty()) scale_channels(h, gain_);
  if (residual_scale_ != 1.0f) pass.kernels.scale(h.data, residual_scale_, h.tokens * h.width);
  pass.visit({out_.point, pass.layer, out_.cross}, h.data, 1, h.width);
}

void Sublayer::norm(const Norm& norm, Activations in, float* out, std::optional<Point> divided_by, Point normalized,
                    Pass& pass) const noexcept {
  if (!norm.divides_whole() || !divided_by) return norm(in, out, pass);
  apply_shown(norm, in, out, {*divided_by, pass.layer, out_.cross}, {normalized, pass.layer, out_.cross}, pass);
}

void Sublayer::join(Activations x, Activations h, Pass& pass) const noexcept {
  pass.kernels.add(x.data, h.data, x.tokens * x.width);
  if (scale_ != 1.0f) pass.kernels.scale(x.data, scale_, x.tokens * x.width);
  if (residual_norm_) (*residual_norm_)(x, x.data, pass);
  if (!again_norm_) return;
  pass.kernels.add(x.data, pass.layer_input, x.tokens * x.width);
  (*again_norm_)(x, x.data, pass);
}

void Sublayer::remember(Activations x, Pass& pass) const noexcept {
  const Scratch::Scope scope(pass.scratch);
  const Activations h{pass.scratch.allocate<float>(x.tokens * x.width), x.tokens, x.width};
  if (pre_norm_) (*pre_norm_)(x, h.data, pass);
  else std::copy_n(x.data, x.tokens * x.width, h.data);
  block_->remember(h, pass);
}

Layer::Layer(const LayerSpec& spec, const StackSpec& stack, const std::string& name, const std::vector<Rope>& ropes,
             Weights& weights)
    : parallel_(spec.parallel ? spec.sublayers.size() - (spec.serial_last ? 1 : 0) : 0),
      middle_(reads_middle(spec, stack.width)),
      keeps_input_(keeps_input(spec, stack.width)) {
  sublayers_.reserve(spec.sublayers.size());
  for (const SublayerSpec& sublayer : spec.sublayers) sublayers_.emplace_back(sublayer, stack, name, ropes, weights);
  if (spec.sublayers.size() == 0) weights.ignore(name + ".");
  if (!spec.input_share.empty()) input_share_ = weights.vector(name + "." + std::string(spec.input_share) + ".weight", 1);
  if (spec.output_scale.empty()) return;
  const std::string scale = name + "." + std::string(spec.output_scale) + ".weight";
  output_scale_ = weights.optional_vector(scale, weights.outputs(scale) == stack.width ? stack.width : 1);
}

void Layer::operator()(Activations x, Pass& pass) const noexcept {
  const Scratch::Scope scope(pass.scratch);
  Activations input = x;
  if (keeps_input_) {
    input.data = pass.scratch.allocate<float>(x.tokens * x.width);
    std::copy_n(x.data, x.tokens * x.width, input.data);
    pass.layer_input = input.data;
  }
  if (parallel_ > 0) {
    const Scratch::Scope branches(pass.scratch);  // the other sublayers reuse this memory
    const Activations h{pass.scratch.allocate<float>(x.tokens * x.width), x.tokens, x.width};
    for (std::size_t i = 0; i < parallel_; ++i) {
      sublayers_[i].branch(input, h, pass);
      sublayers_[i].join(x, h, pass);
    }
  }
  for (std::size_t i = parallel_; i < sublayers_.size(); ++i) {
    if (i == middle_) pass.visit({Point::middle, pass.layer}, x.data, 1, x.width);
    sublayers_[i](x, pass);
  }
  if (output_scale_.size() == 1) pass.kernels.scale(x.data, output_scale_[0], x.tokens * x.width);
  else if (!output_scale_.empty()) scale_channels(x, output_scale_);
  if (!input_share_.empty()) pass.kernels.add_scaled(x.data, pass.stack_input, input_share_[0], x.tokens * x.width);
}

Stack::Stack(const StackSpec& spec, std::size_t context_length, Weights& weights)
    : shares_input_(shares_input(spec)), keeps_values_(keeps_first_values(spec)), deep_rows_(spec.deep_rows) {
  const std::vector<RopeSpec> ropes = ropes_of(spec);
  for (std::size_t slot = 0; slot < ropes.size(); ++slot) ropes_.emplace_back(ropes[slot], slot, context_length, weights);
  if (const AttentionSpec* attention = first_self_attention(spec); spec.bias && attention)
    bias_.emplace(*spec.bias, attention->heads, attention->mask, spec.prefix, weights);
  layers_.reserve(spec.layers.size());
  const std::string prefix(spec.prefix);
  std::vector<std::size_t> blocks;  // block number in the file, of each of layers_
  for (std::size_t i = 0; i < spec.layers.size(); ++i) {
    const std::size_t block = spec.layers[i].block.value_or(i);
    if (const auto made = std::find(blocks.begin(), blocks.end(), block); made == blocks.end()) {
      layers_.emplace_back(spec.layers[i], spec, prefix + "blk." + std::to_string(block), ropes_, weights);
      steps_.push_back({blocks.size(), spec.layers[i].begins_turn, spec.layers[i].ends_turn, {}});
      blocks.push_back(block);
    } else {
      steps_.push_back({static_cast<std::size_t>(made - blocks.begin()), spec.layers[i].begins_turn, spec.layers[i].ends_turn, {}});
    }
    steps_.back().turn_norm = optional_norm(spec.norm, spec.width, prefix, spec.layers[i].turn_norm, weights);
  }
  for (std::size_t i = 0; !spec.unread.empty() && i < spec.layers.size(); ++i)
    weights.ignore(prefix + "blk." + std::to_string(i) + "." + std::string(spec.unread));
  for (std::size_t i = 0; i < spec.drafts; ++i) weights.ignore(prefix + "blk." + std::to_string(spec.layers.size() + i) + ".");
  if (has_turns(spec)) low_start_ = weights.vector("hrm.z_l_init", spec.width);
  if (spec.alt_up) {
    alt_up_ = std::make_unique<AltUp>(*spec.alt_up, spec.width, weights);
    for (std::size_t i = 0; i < spec.layers.size(); ++i)
      alt_up_->add_layer(spec, prefix + "blk." + std::to_string(i), ropes_, weights);
  }
  if (!spec.final_norm_optional || weights.contains(prefix + std::string(spec.final_norm) + ".weight"))
    final_norm_ = optional_norm(spec.norm, spec.width, prefix, spec.final_norm, weights);
}

Stack::Stack(Stack&&) noexcept = default;
Stack::~Stack() = default;

ScratchNeed Stack::need(const StackSpec& spec, const PassLimits& limits) {
  ScratchNeed blocks;
  bool keeps = false;
  for (const LayerSpec& layer : spec.layers) {
    keeps = keeps || keeps_input(layer, spec.width);
    for (const SublayerSpec& sublayer : layer.sublayers) blocks.either(block_need(sublayer.block, limits));
  }
  ScratchNeed need;
  for (const RopeSpec& rope : ropes_of(spec)) need.with(Rope::need(rope, limits)).allocate<Angles>(1);
  if (spec.bias) need.with(PositionBias::need(first_self_attention(spec)->heads, limits));
  if (spec.alt_up) {
    if (spec.alt_up->others) blocks.either(block_need(spec.alt_up->others->block, limits));
    need.with(AltUp::need(*spec.alt_up, limits));
  }
  const std::uint64_t count = limits.tokens * spec.width;
  need.allocate<float>(count).allocate<float>(keeps ? count : 0).allocate<float>(shares_input(spec) ? count : 0);
  need.allocate<float>(keeps_first_values(spec) ? count : 0);
  if (has_turns(spec)) need.allocate<float>(count).allocate<float>(count);
  return need.with(blocks);
}

std::vector<CacheLayer> Stack::cache_layers(const StackSpec& spec) {
  std::vector<CacheLayer> layers;
  for (const LayerSpec& layer : spec.layers) {
    CacheLayer& cached = layers.emplace_back();
    for (const SublayerSpec& sublayer : layer.sublayers) {  // at most one has keys and values, and at most one a state
      CacheLayer block = block_traits(sublayer.block, spec.width).cache;
      block.state += cached.state;
      if (block.kv_heads == 0) cached.state = block.state;
      else cached = block;
    }
  }
  return layers;
}

std::vector<CacheLayer> Stack::cross_cache_layers(const StackSpec& spec) {
  std::vector<CacheLayer> layers;
  for (const LayerSpec& layer : spec.layers) {
    CacheLayer& cached = layers.emplace_back();
    for (const SublayerSpec& sublayer : layer.sublayers)
      if (const CacheLayer block = block_traits(sublayer.block, spec.width).cross_cache; block.kv_heads != 0) cached = block;
  }
  return layers;
}

void Stack::prepare(Pass& pass) const noexcept {
  pass.angles = pass.scratch.allocate<Angles>(ropes_.size());
  for (const Rope& rope : ropes_) rope.fill_angles(pass);
  if (bias_)
    for (Segment& segment : pass.segments) bias_->fill_table(segment, pass);
}

bool Stack::operator()(Activations x, Pass& pass) const noexcept {
  const Scratch::Scope scope(pass.scratch);
  prepare(pass);
  AltUp::Streams streams;
  if (alt_up_) streams = alt_up_->begin(x, pass);
  if (pass.first_layer == 0) pass.visit({Point::embed}, x.data, 1, x.width);
  else if (pass.first_layer < steps_.size()) pass.visit({Point::resid, pass.first_layer - 1}, x.data, 1, x.width);
  if (shares_input_) {
    float* const input = pass.scratch.allocate<float>(x.tokens * x.width);
    std::copy_n(x.data, x.tokens * x.width, input);
    pass.stack_input = input;
  }
  if (keeps_values_) pass.first_values = pass.scratch.allocate<float>(x.tokens * x.width);
  float *high = nullptr, *low = nullptr;  // the two streams, if there are turns
  if (!low_start_.empty()) {
    high = pass.scratch.allocate<float>(x.tokens * x.width);
    low = pass.scratch.allocate<float>(x.tokens * x.width);
    std::copy_n(x.data, x.tokens * x.width, high);
    for (std::size_t t = 0; t < x.tokens; ++t) std::copy_n(low_start_.data(), x.width, low + t * x.width);
  }
  for (pass.layer = pass.first_layer; pass.layer < steps_.size(); ++pass.layer) {
    if (pass.canceled()) return false;
    if (alt_up_) alt_up_->predict(streams, pass);
    const Step& step = steps_[pass.layer];
    if (step.begins_turn) {
      std::copy_n(high, x.tokens * x.width, x.data);
      pass.kernels.add(x.data, low, x.tokens * x.width);
    }
    pass.hand_input(pass.layer, x);
    layers_[step.layer](x, pass);
    if (step.turn_norm) (*step.turn_norm)(x, x.data, pass);
    if (alt_up_) alt_up_->correct(streams, pass);
    if (pass.pictures && pass.layer < deep_rows_) add_deep_rows(x, pass);
    if (pass.layer + 1 < steps_.size()) pass.visit({Point::resid, pass.layer}, x.data, 1, x.width);
    if (step.ends_turn != Turn::none) std::copy_n(x.data, x.tokens * x.width, step.ends_turn == Turn::low ? low : high);
  }
  if (alt_up_) alt_up_->end(streams, pass);
  pass.visit({Point::resid, steps_.size() - 1}, x.data, 1, x.width);
  return true;
}

void Stack::finish(Activations x, Pass& pass, const std::size_t* rows) const noexcept {
  if (!final_norm_) return;
  if (!final_norm_->divides_whole()) return (*final_norm_)(x, x.data, pass);
  apply_shown(*final_norm_, x, x.data, {kFinalPoints.scale}, {kFinalPoints.normalized}, pass, rows);
}

void Stack::cache_encoder_output(Activations encoded, Pass& pass) const noexcept {
  for (pass.layer = 0; pass.layer < steps_.size(); ++pass.layer)
    for (const Sublayer& sublayer : layer(pass.layer).sublayers()) sublayer.block().cache_encoder_output(encoded, pass);
}

}  // namespace heed::nn

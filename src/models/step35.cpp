// Step 3.5 (StepFun) and MiMo-V2 (Xiaomi): layers with a window differ from the others in heads and RoPE; layers have experts if
// the file has a router for them. Step has gated heads and limits the factors that MLPs multiply; MiMo has attention sinks.
#include "models/common.hpp"
#include "models/experts.hpp"
#include "models/families.hpp"

namespace heed::models {

ModelSpec step35(const Hyperparameters& h) {
  nn::AttentionSpec attention = normed_attention(h, nn::RopePairing::halves);
  attention.gated = attention.own_gate = true;
  nn::BlockSpec feed_forward = gated_mlp(h);
  if (has_experts(h)) {
    nn::ExpertsSpec mixture = experts_and_shared(h, false, nn::Gating::sigmoid);
    mixture.dense = h.count("feed_forward_length");
    feed_forward = mixture;
  }
  nn::DecoderSpec spec = decoder(h, pre_norm_layer(attention, feed_forward));
  const std::vector<bool> local = local_layers(h, 4);
  for_each_attention(spec.stack, [&](nn::AttentionSpec& of_layer, std::size_t layer) {
    if (local[layer]) set_window(of_layer, h);
    else of_layer.rope->dims /= 2;
  });
  const auto limits = numbers_of_layers(h, "swiglu_clamp_exp"), shared = numbers_of_layers(h, "swiglu_clamp_shexp");
  for (std::size_t i = 0; i < spec.stack.layers.size(); ++i) {
    nn::BlockSpec& block = last_block(spec.stack.layers[i]);
    if (auto* const mlp = std::get_if<nn::MlpSpec>(&block)) mlp->limit = shared[i];
    if (auto* const mixture = std::get_if<nn::ExpertsSpec>(&block)) {
      mixture->expert.limit = limits[i];
      mixture->shared_limit = shared[i];
    }
  }
  return with_draft_heads(std::move(spec), h, false);
}

ModelSpec mimo2(const Hyperparameters& h) {
  nn::AttentionSpec attention = rotary_attention(h, nn::RopePairing::halves);
  attention.sinks = attention.sinks_optional = true;
  nn::ExpertsSpec mixture = experts(h, true);
  mixture.gating = nn::Gating::sigmoid;  // these three are fixed, whatever the file says
  mixture.normalized = true;
  mixture.scale = 1;
  mixture.selection_bias = true;
  mixture.dense = h.count("feed_forward_length");
  nn::LayerSpec layer = pre_norm_layer(attention, mixture);
  layer.sublayers[0].factor = h.number("attention.value_scale", 1.0f);
  nn::DecoderSpec spec = decoder(h, layer);
  const auto local = h.counts("attention.sliding_window_pattern", spec.stack.layers.size());
  for_each_attention(spec.stack, [&](nn::AttentionSpec& of_layer, std::size_t i) {
    if (local[i] != 0) set_window(of_layer, h);
  });
  leave_out_drafts(spec.stack, h);
  return decoder_only(std::move(spec));
}

}  // namespace heed::models

// Qwen3-Next and Qwen 3.5, dense and with experts: most layers have the gated delta rule (arXiv:2412.06464), every fourth has gated
// attention (arXiv:2505.06708).
#include <algorithm>

#include "models/common.hpp"
#include "models/experts.hpp"
#include "models/families.hpp"

namespace heed::models {
namespace {

nn::ExpertsSpec gated_mixture(const Hyperparameters& h) {
  nn::ExpertsSpec spec = experts(h, true);
  spec.shared_gate = spec.shared != 0;
  return spec;
}

/// Whether each block has the delta rule: as the file says, by default all but the last of each period.
std::vector<std::size_t> recurrent_blocks(const Hyperparameters& h) {
  const std::size_t blocks = layer_count(h), period = h.count("full_attention_interval", 4);
  if (h.contains("attention.recurrent_layers")) return h.counts("attention.recurrent_layers", blocks);
  if (period == 0) throw Error(ErrorCode::invalid_file, "must not be 0", h.full("full_attention_interval"));
  std::vector<std::size_t> recurrent(blocks);
  for (std::size_t i = 0; i < blocks; ++i) recurrent[i] = ends_group(i, period) ? 0 : 1;
  return recurrent;
}

/// `tiled`: see nn::GatedDeltaNetSpec.
ModelSpec hybrid(const Hyperparameters& h, const nn::BlockSpec& feed_forward, bool tiled) {
  nn::AttentionSpec attention = rotary_attention(h, nn::RopePairing::halves);
  attention.qk_norm = {.span = nn::QkNormSpan::head, .norm = rms_norm(h)};
  attention.gated = true;
  set_rope_sections(*attention.rope, h, nn::RopeAxes::interleaved);
  nn::GatedDeltaNetSpec delta = gated_delta_net(h);
  delta.tiled = tiled;

  nn::DecoderSpec spec = decoder(h, {});
  const std::size_t heads_begin = spec.stack.layers.size() - std::min(spec.stack.layers.size(), h.count("nextn_predict_layers", 0));
  const auto recurrent = recurrent_blocks(h), heads = kv_heads(h);
  for (std::size_t i = 0; i < spec.stack.layers.size(); ++i) {
    attention.kv_heads = heads[i];
    const nn::BlockSpec block = recurrent[i] != 0 && i < heads_begin ? nn::BlockSpec(delta) : attention;
    spec.stack.layers[i] = pre_norm_layer(block, feed_forward);
    spec.stack.layers[i].sublayers[1].pre_norm = "post_attention_norm";
  }
  return with_draft_heads(std::move(spec), h, true);
}

}  // namespace

ModelSpec qwen35(const Hyperparameters& h) { return hybrid(h, gated_mlp(h), true); }
ModelSpec qwen35moe(const Hyperparameters& h) { return hybrid(h, gated_mixture(h), true); }
ModelSpec qwen3next(const Hyperparameters& h) { return hybrid(h, gated_mixture(h), false); }

}  // namespace heed::models

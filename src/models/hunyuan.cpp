// Hunyuan (Tencent), dense and with experts (arXiv:2411.02265): applies RoPE to queries and keys before their norms. HunyuanOCR
// reads images, whose positions have several axes.
#include "base/deterministic_math.hpp"
#include "models/common.hpp"
#include "models/experts.hpp"
#include "models/families.hpp"

namespace heed::models {
namespace {

nn::AttentionSpec attention_normed_last(const Hyperparameters& h) {
  nn::AttentionSpec spec = normed_attention(h, nn::RopePairing::halves);
  spec.qk_norm->after_rope = true;
  return spec;
}

}  // namespace

ModelSpec hunyuan_dense(const Hyperparameters& h) {
  return decoder_only(decoder(h, pre_norm_layer(attention_normed_last(h), gated_mlp(h))));
}

ModelSpec hunyuan_moe(const Hyperparameters& h) {
  nn::ExpertsSpec mixture = softmax_experts(h);
  mixture.expert.feed_forward = h.count("feed_forward_length");
  return decoder_only(decoder(h, pre_norm_layer(attention_normed_last(h), mixture)));
}

/// The base of RoPE is scaled by alpha, as in NTK-aware RoPE.
ModelSpec hunyuan_vl(const Hyperparameters& h) {
  ModelSpec spec = hunyuan_dense(h);
  for_each_attention(spec.decoder->stack, [&](nn::AttentionSpec& attention, std::size_t) {
    set_rope_sections(*attention.rope, h, nn::RopeAxes::consecutive);
    attention.rope->turns_last = false;
    const auto alpha = static_cast<double>(h.number("rope.scaling.alpha", 0.0f)), dims = static_cast<double>(attention.key_dim);
    if (alpha != 0 && (alpha < 1 || alpha > 1e6))
      throw Error(ErrorCode::invalid_file, "must be 0, or from 1 to 1000000", h.full("rope.scaling.alpha"));
    if (alpha != 0 && dims > 2)
      attention.rope->theta *= static_cast<float>(deterministic_exp(deterministic_log(alpha) * dims / (dims - 2)));
  });
  return spec;
}

}  // namespace heed::models

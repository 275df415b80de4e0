// Qwen 2 (arXiv:2407.10671) and 3 (arXiv:2505.09388), dense and with experts; the text part of Qwen3-VL (arXiv:2511.21631),
// and Seed-OSS, which is built as Qwen 2 is.
#include "models/common.hpp"
#include "models/families.hpp"

namespace heed::models {
namespace {

nn::AttentionSpec head_normed_attention(const Hyperparameters& h) {
  nn::AttentionSpec spec = rotary_attention(h, nn::RopePairing::halves);
  spec.qk_norm = {.span = nn::QkNormSpan::head, .norm = rms_norm(h)};
  return spec;
}

}  // namespace

ModelSpec qwen2(const Hyperparameters& h) {
  const auto attention = rotary_attention(h, nn::RopePairing::halves);
  return decoder_only(decoder(h, rms_norm(h), pre_norm_layer(attention, gated_mlp(h))));
}

ModelSpec qwen2moe(const Hyperparameters& h) {
  nn::ExpertsSpec mixture = experts(h, false);
  mixture.shared = h.count("expert_shared_feed_forward_length", h.count("feed_forward_length"));
  mixture.shared_gate = true;
  const auto attention = rotary_attention(h, nn::RopePairing::halves);
  return decoder_only(decoder(h, rms_norm(h), pre_norm_layer(attention, mixture)));
}

ModelSpec qwen3(const Hyperparameters& h) {
  return decoder_only(decoder(h, rms_norm(h), pre_norm_layer(head_normed_attention(h), gated_mlp(h))));
}

ModelSpec qwen3moe(const Hyperparameters& h) {
  return decoder_only(decoder(h, rms_norm(h), pre_norm_layer(head_normed_attention(h), experts(h, true))));
}

ModelSpec qwen3vl(const Hyperparameters& h) {
  check_rope_sections(h, *head_normed_attention(h).rope);
  return qwen3(h);
}

ModelSpec qwen3vlmoe(const Hyperparameters& h) {
  check_rope_sections(h, *head_normed_attention(h).rope);
  return qwen3moe(h);
}

ModelSpec seed_oss(const Hyperparameters& h) {
  ModelSpec spec = qwen2(h);
  for (nn::LayerSpec& layer : spec.decoder->stack.layers) layer.sublayers[1].pre_norm = "post_attention_norm";
  return spec;
}

}  // namespace heed::models

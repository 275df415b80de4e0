// Gemma (arXiv:2403.08295), Gemma 2 (arXiv:2408.00118) and Gemma 3 (arXiv:2503.19786).
#include <cmath>

#include "models/common.hpp"
#include "models/families.hpp"

namespace heed::models {
namespace {

nn::DecoderSpec gemma_with(const Hyperparameters& h, const nn::LayerSpec& layer) {
  nn::DecoderSpec spec = decoder(h, rms_norm(h), layer);
  spec.embedding.scale = std::sqrt(static_cast<float>(spec.stack.width));
  return spec;
}

/// The 27B models scale scores by the width of the model over its heads, the others by the heads' own.
nn::AttentionSpec scaled_attention(const Hyperparameters& h, std::size_t layers_of_27b) {
  nn::AttentionSpec spec = rotary_attention(h, nn::RopePairing::halves);
  if (h.count("block_count") == layers_of_27b)
    spec.scale = 1.0f / std::sqrt(static_cast<float>(h.count("embedding_length") / spec.heads));
  return spec;
}

}  // namespace

ModelSpec gemma(const Hyperparameters& h) {
  const auto attention = rotary_attention(h, nn::RopePairing::halves);
  return decoder_only(gemma_with(h, pre_norm_layer(attention, gated_mlp(h, kernels::Activation::gelu_tanh))));
}

ModelSpec gemma2(const Hyperparameters& h) {
  nn::AttentionSpec attention = scaled_attention(h, 46);
  attention.softcap = h.number("attn_logit_softcapping", 50.0f);
  nn::DecoderSpec spec = gemma_with(h, sandwich_layer(attention, gated_mlp(h, kernels::Activation::gelu_tanh)));
  spec.head.softcap = h.number("final_logit_softcapping", 30.0f);
  for_each_attention(spec.stack, [&](nn::AttentionSpec& local, std::size_t layer) {
    if (layer % 2 == 0) local.window = h.count("attention.sliding_window", 4096);
  });
  return decoder_only(std::move(spec));
}

ModelSpec gemma3(const Hyperparameters& h) {
  nn::AttentionSpec attention = scaled_attention(h, 62);
  attention.qk_norm = {.span = nn::QkNormSpan::head, .norm = rms_norm(h)};
  nn::DecoderSpec spec = gemma_with(h, sandwich_layer(attention, gated_mlp(h, kernels::Activation::gelu_tanh)));
  spec.head.softcap = h.number("final_logit_softcapping", 0.0f);
  for_each_attention(spec.stack, [&](nn::AttentionSpec& local, std::size_t layer) {
    if (ends_group(layer, h.count("attention.sliding_window_pattern", 6))) return;
    local.window = h.count("attention.sliding_window");
    local.rope->theta = h.number("rope.freq_base_swa", 10000.0f);
    local.rope->scaling = nn::RopeScaling::none;
    local.rope->factor = 1.0f;
  });
  return decoder_only(std::move(spec));
}

}  // namespace heed::models

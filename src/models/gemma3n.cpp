// The text part of Gemma 3n (https://ai.google.dev/gemma/docs/gemma-3n): layers work on the first of four residual streams (AltUp),
// with a learned path beside attention (LAuReL), per-layer embeddings, sparse gates in the first layers, and keys and values that
// the last layers share. Files lack many of the numbers, which are equal in all models of the family.
#include <cmath>

#include "models/common.hpp"
#include "models/families.hpp"

namespace heed::models {
namespace {

constexpr std::size_t kStreams = 4, kPerLayerWidth = 256, kLaurelRank = 64;
constexpr std::size_t kOwnKeys = 20;      // layers with keys and values of their own
constexpr std::size_t kSparse = 10;       // layers with sparse gates
constexpr float kCutoff = 1.6448533535f;  // standard deviations: 5 % of a normal distribution are above

nn::AttentionSpec attention_of(const Hyperparameters& h, bool local) {
  nn::AttentionSpec spec = rotary_attention(h, nn::RopePairing::halves);
  spec.scale = 1;
  spec.qk_norm = {.span = nn::QkNormSpan::head, .norm = rms_norm(h)};
  spec.value_norm = rms_norm(h);
  if (local) make_local(spec, h);
  return spec;
}

}  // namespace

ModelSpec gemma3n(const Hyperparameters& h) {
  nn::DecoderSpec spec = decoder(h, {});
  spec.embedding.scale = std::sqrt(static_cast<float>(spec.stack.width));
  spec.per_layer.width = kPerLayerWidth;
  spec.head.softcap = 30;
  spec.stack.alt_up = nn::AltUpSpec{.streams = kStreams,
                                    .norm = rms_norm(h),
                                    .others = nn::SublayerSpec{.post_norm = "post_norm",
                                                               .block = nn::PerLayerInputSpec{kPerLayerWidth}}};

  std::vector<nn::LayerSpec>& layers = spec.stack.layers;
  const auto local = local_layers(h, 5);
  const auto kv = kv_heads(h), widths = h.counts("feed_forward_length", layers.size());
  for (std::size_t i = 0; i < layers.size(); ++i) {
    nn::AttentionSpec attention = attention_of(h, local[i]);
    attention.kv_heads = kv[i];
    if (i >= kOwnKeys) attention.keys_of = local[i] ? kOwnKeys - 2 : kOwnKeys - 1;
    nn::MlpSpec mlp{.feed_forward = widths[i], .activation = kernels::Activation::gelu_tanh};
    if (i < kSparse) mlp.cutoff = kCutoff;
    layers[i] = {
        .sublayers = {{.pre_norm = "attn_norm", .post_norm = "post_attention_norm", .block = attention},
                      {.pre_norm = "attn_norm", .block = nn::LaurelSpec{kLaurelRank, rms_norm(h)}, .scale = 1.0f / std::sqrt(2.0f)},
                      {.pre_norm = "ffn_norm", .post_norm = "post_ffw_norm", .block = mlp}},
        .parallel = true,
        .serial_last = true};
  }
  return decoder_only(std::move(spec));
}

}  // namespace heed::models

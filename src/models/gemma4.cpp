// Gemma 4 (https://ai.google.dev/gemma/docs/core): local layers, with a window, and global ones differ in heads, kv heads and RoPE;
// values have norms. In the small models (E), the last layers share keys and values, and there are per-layer embeddings as in Gemma
// 3n; others have experts beside the MLP. EmbeddingGemma 2 attends in both directions, and has per-layer inputs without a table.
#include <cmath>

#include "models/common.hpp"
#include "models/experts.hpp"
#include "models/drafts.hpp"
#include "models/families.hpp"

namespace heed::models {
namespace {

nn::AttentionSpec global_attention(const Hyperparameters& h) {
  nn::AttentionSpec spec = rotary_attention(h, nn::RopePairing::halves);
  spec.scale = 1;
  spec.qk_norm = {.span = nn::QkNormSpan::head, .norm = rms_norm(h)};
  spec.value_norm = rms_norm(h);
  spec.keys_as_values = true;
  return spec;
}

nn::AttentionSpec local_attention(const Hyperparameters& h) {
  nn::AttentionSpec spec = global_attention(h);
  make_local(spec, h);
  spec.whole_tiles = true;
  spec.key_dim = h.count("attention.key_length_swa", spec.key_dim);
  spec.value_dim = h.count("attention.value_length_swa", spec.key_dim);
  spec.rope->dims = h.count("rope.dimension_count_swa", spec.key_dim);
  spec.rope->divided = false;
  return spec;
}

/// The MLP, with experts beside it if the file has them.
nn::BlockSpec feed_forward(const Hyperparameters& h, std::size_t width) {
  if (!has_experts(h)) return nn::MlpSpec{.feed_forward = width, .activation = kernels::Activation::gelu_tanh};
  nn::ExpertsSpec spec = experts(h, true);
  spec.expert.activation = kernels::Activation::gelu_tanh;
  spec.norm = rms_norm(h);
  spec.normed_router = true;
  spec.chosen_pre_norm = "pre_ffw_norm_2";
  spec.chosen_post_norm = "post_ffw_norm_2";
  spec.shared = width;
  spec.shared_suffix = "";
  spec.shared_pre_norm = "ffn_norm";
  spec.shared_post_norm = "post_ffw_norm_1";
  return spec;
}

}  // namespace

std::vector<nn::LayerSpec> gemma4_layers(const Hyperparameters& h) {
  std::vector<nn::LayerSpec> layers(layer_count(h));
  const auto local = h.counts("attention.sliding_window_pattern", layers.size());
  const auto kv = kv_heads(h), widths = h.counts("feed_forward_length", layers.size());
  for (std::size_t i = 0; i < layers.size(); ++i) {
    nn::AttentionSpec attention = local[i] ? local_attention(h) : global_attention(h);
    attention.kv_heads = kv[i];
    layers[i] = sandwich_layer(attention, feed_forward(h, widths[i]));
    layers[i].output_scale = "layer_output_scale";
    if (has_experts(h)) layers[i].sublayers[1].pre_norm = {};
  }
  return layers;
}

ModelSpec gemma4(const Hyperparameters& h) {
  nn::DecoderSpec spec = decoder(h, {});
  spec.embedding.scale = std::sqrt(static_cast<float>(spec.stack.width));
  spec.per_layer.width = h.count("embedding_length_per_layer_input", 0);
  spec.head.softcap = h.number("final_logit_softcapping", 30.0f);

  std::vector<nn::LayerSpec>& layers = spec.stack.layers;
  layers = gemma4_layers(h);
  const std::size_t sharing = h.count("attention.shared_kv_layers", 0);
  if (sharing != 0 && (sharing > layers.size() || layers.size() - sharing < 2))
    throw Error(ErrorCode::invalid_file, "must leave at least two layers with keys and values of their own",
                h.full("attention.shared_kv_layers"));
  const std::size_t own = layers.size() - sharing;
  const auto local = h.counts("attention.sliding_window_pattern", layers.size());
  for_each_attention(spec.stack, [&](nn::AttentionSpec& attention, std::size_t i) {
    if (i >= own) attention.keys_of = local[i] ? own - 2 : own - 1;
  });
  for (nn::LayerSpec& layer : layers) {
    nn::Sublayers& sublayers = layer.sublayers;
    if (spec.per_layer.width != 0)
      sublayers = {sublayers[0], sublayers[1], {.post_norm = "post_norm", .block = nn::PerLayerInputSpec{spec.per_layer.width}}};
  }
  return decoder_only(std::move(spec));
}

ModelSpec gemma_embedding2(const Hyperparameters& h) {
  nn::DecoderSpec parts = std::move(*gemma4(h).decoder);
  for_each_attention(parts.stack, [](nn::AttentionSpec& attention, std::size_t) {
    attention.rope->divided = attention.whole_tiles = attention.keys_as_values = false;
  });
  const std::size_t told = parts.per_layer.width;
  ModelSpec spec = encoder_only(std::move(parts), h, nn::Pooling::mean);
  spec.encoder->per_layer = {.width = told, .has_table = false};
  if (const char* key = "embedding_length_out"; h.contains(key))
    spec.encoder->projections.push_back({.name = "output", .rows = h.count(key), .key = key});
  return spec;
}

}  // namespace heed::models

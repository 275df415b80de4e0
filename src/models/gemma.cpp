// Gemma (arXiv:2403.08295), Gemma 2 (arXiv:2408.00118) and Gemma 3 (arXiv:2503.19786); EmbeddingGemma (arXiv:2509.20354).
#include <cmath>

#include "models/common.hpp"
#include "models/families.hpp"

namespace heed::models {
namespace {

nn::DecoderSpec gemma_with(const Hyperparameters& h, const nn::LayerSpec& layer) {
  nn::DecoderSpec spec = decoder(h, layer);
  spec.embedding.scale = std::sqrt(static_cast<float>(spec.stack.width));
  return spec;
}

/// Scores are scaled by the size of a head; in the 27B models, by the width of the model divided by the number of heads.
nn::AttentionSpec scaled_attention(const Hyperparameters& h, std::size_t layers_of_27b) {
  nn::AttentionSpec spec = rotary_attention(h, nn::RopePairing::halves);
  if (h.count("block_count") == layers_of_27b) {
    const std::size_t share = h.count("embedding_length") / spec.heads;
    spec.scale = 1.0f / std::sqrt(static_cast<float>(share));
  }
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
  attention.whole_tiles = true;
  attention.qk_norm = {.span = nn::QkNormSpan::head, .norm = rms_norm(h)};
  nn::DecoderSpec spec = gemma_with(h, sandwich_layer(attention, gated_mlp(h, kernels::Activation::gelu_tanh)));
  spec.head.softcap = h.number("final_logit_softcapping", 0.0f);
  const std::vector<bool> windowed = local_layers(h, 6);
  const bool has_window = h.count("attention.sliding_window", 0) != 0;  // Rnj-1 has none
  for_each_attention(spec.stack, [&](nn::AttentionSpec& local, std::size_t layer) {
    if (has_window && windowed[layer]) make_local(local, h);
  });
  return decoder_only(std::move(spec));
}

/// Applies two more layers to pooled vectors, if the file has them.
ModelSpec gemma_embedding(const Hyperparameters& h) {
  ModelSpec spec = encoder_only(std::move(*gemma3(h).decoder), h, nn::Pooling::mean);
  constexpr nn::ProjectionSpec kDense[] = {{.name = "dense_2", .key = "dense_2_feat_out"},
                                           {.name = "dense_3", .key = "dense_3_feat_out"}};
  for (nn::ProjectionSpec dense : kDense) {
    if (!h.contains(dense.key)) continue;
    dense.rows = h.count(dense.key);
    spec.encoder->projections.push_back(dense);
  }
  return spec;
}

}  // namespace heed::models

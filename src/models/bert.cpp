// BERT (arXiv:1810.04805) and other encoders with norms after each sum: Nomic's (arXiv:2402.01613, with RoPE and a gated MLP;
// arXiv:2502.07972, with experts) and Jina's (arXiv:2310.19923, with ALiBi; arXiv:2409.10173, with RoPE); and rerankers based on
// them (arXiv:1901.04085).
#include "models/common.hpp"
#include "models/experts.hpp"
#include "models/families.hpp"

namespace heed::models {
namespace {

ModelSpec post_norm_encoder(const Hyperparameters& h, const nn::AttentionSpec& attention, const nn::MlpSpec& mlp) {
  const nn::LayerSpec layer{.sublayers = {{.residual_norm = "attn_output_norm", .block = attention},
                                          {.residual_norm = "layer_output_norm", .block = mlp}}};
  nn::DecoderSpec parts = decoder(h, layer_norm(h), layer);
  parts.stack.final_norm = {};
  parts.embedding.types = true;
  parts.embedding.norm = "token_embd_norm";
  return encoder_only(std::move(parts), h);
}

}  // namespace

ModelSpec bert(const Hyperparameters& h) {
  nn::AttentionSpec biased = attention(h);
  biased.biased = true;
  ModelSpec spec = post_norm_encoder(h, biased, plain_mlp(h));
  spec.encoder->embedding.positions = nn::Positions::learned;
  return spec;
}

ModelSpec nomic_bert(const Hyperparameters& h) {
  return post_norm_encoder(h, rotary_attention(h, nn::RopePairing::halves), gated_mlp(h));
}

ModelSpec nomic_bert_moe(const Hyperparameters& h) {
  ModelSpec spec = jina_bert_v3(h);
  nn::ExpertsSpec mixture = experts(h, false);
  mixture.expert.gated = false;
  mixture.expert.activation = kernels::Activation::gelu_tanh;
  const std::size_t period = h.count("moe_every_n_layers", 0);
  for (std::size_t i = 0; period != 0 && i < spec.encoder->stack.layers.size(); ++i)
    if (i % period == 1) spec.encoder->stack.layers[i].sublayers[1].block = mixture;
  return spec;
}

/// Jina's models for code also have norms of queries and keys, and one more norm.
ModelSpec jina_bert_v2(const Hyperparameters& h) {
  nn::AttentionSpec normed = attention(h);
  normed.qk_norm = {.span = nn::QkNormSpan::all_heads, .norm = layer_norm(h), .optional = true};
  ModelSpec spec = post_norm_encoder(h, normed, gated_mlp(h, kernels::Activation::gelu_tanh));
  spec.encoder->stack.bias = nn::PositionBiasSpec{.kind = nn::PositionBiasKind::linear};
  for (nn::LayerSpec& layer : spec.encoder->stack.layers) layer.sublayers[0].again_norm = "attn_norm_2";
  return spec;
}

ModelSpec jina_bert_v3(const Hyperparameters& h) {
  const nn::MlpSpec mlp = plain_mlp(h, kernels::Activation::gelu_tanh, false);
  return post_norm_encoder(h, rotary_attention(h, nn::RopePairing::halves), mlp);
}

}  // namespace heed::models

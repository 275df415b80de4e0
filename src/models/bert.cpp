// BERT (arXiv:1810.04805) and Nomic's (arXiv:2402.01613, with RoPE and a gated MLP): encoders with norms after each sum.
#include "models/common.hpp"
#include "models/families.hpp"

namespace heed::models {
namespace {

ModelSpec encoder_only(const Hyperparameters& h, nn::AttentionSpec attention, const nn::MlpSpec& mlp) {
  attention.mask = h.flag("attention.causal", false) ? nn::Mask::causal : nn::Mask::none;
  const nn::LayerSpec layer{.sublayers = {{.residual_norm = "attn_output_norm", .mix = attention},
                                          {.residual_norm = "layer_output_norm", .mix = mlp}}};
  nn::DecoderSpec parts = decoder(h, layer_norm(h), layer);
  parts.stack.final_norm = {};
  parts.embedding.types = true;
  parts.embedding.norm = "token_embd_norm";
  return {.encoder = nn::EncoderSpec{parts.embedding, parts.stack, pooling(h)}};
}

}  // namespace

ModelSpec bert(const Hyperparameters& h) {
  nn::AttentionSpec biased = attention(h);
  biased.biased = true;
  ModelSpec spec = encoder_only(h, biased, plain_mlp(h));
  spec.encoder->embedding.positions = nn::Positions::learned;
  return spec;
}

ModelSpec nomic_bert(const Hyperparameters& h) {
  return encoder_only(h, rotary_attention(h, nn::RopePairing::halves), gated_mlp(h));
}

}  // namespace heed::models

// BERT (arXiv:1810.04805) and Nomic's (arXiv:2402.01613, with RoPE and a gated MLP): encoders with norms after each sum; and
// the rerankers built on them (arXiv:1901.04085).
#include "models/common.hpp"
#include "models/families.hpp"

namespace heed::models {
namespace {

constexpr std::size_t kRank = 4;  // pooling_type of a reranker

ModelSpec encoder_only(const Hyperparameters& h, nn::AttentionSpec attention, const nn::MlpSpec& mlp) {
  attention.mask = h.flag("attention.causal", false) ? nn::Mask::causal : nn::Mask::none;
  const nn::LayerSpec layer{.sublayers = {{.residual_norm = "attn_output_norm", .mix = attention},
                                          {.residual_norm = "layer_output_norm", .mix = mlp}}};
  nn::DecoderSpec parts = decoder(h, layer_norm(h), layer);
  parts.stack.final_norm = {};
  parts.embedding.types = true;
  parts.embedding.norm = "token_embd_norm";
  nn::EncoderSpec spec{.embedding = parts.embedding, .stack = parts.stack};
  if (h.count("pooling_type", 1) == kRank) {
    spec.pooling = nn::Pooling::cls;
    const auto* labels = h.metadata().find<formats::Metadata::Strings>(h.full("classifier.output_labels"));
    spec.scores = labels ? labels->size() : 1;
  } else {
    spec.pooling = pooling(h);
  }
  return {.encoder = spec};
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

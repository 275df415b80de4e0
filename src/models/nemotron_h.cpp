// Nemotron-H and Nemotron 3 (arXiv:2504.03624, arXiv:2512.20856): each layer has one block: Mamba 2, attention without positions,
// an MLP of squared ReLUs, or a mixture of such MLPs, which may work in a narrower space.
#include "models/common.hpp"
#include "models/experts.hpp"
#include "models/families.hpp"

namespace heed::models {
namespace {

nn::MlpSpec squared_relu_mlp(std::size_t feed_forward) {
  return {.feed_forward = feed_forward, .activation = kernels::Activation::relu_squared, .gated = false};
}

nn::ExpertsSpec mixture(const Hyperparameters& h) {
  nn::ExpertsSpec spec = experts(h, false);
  spec.expert = squared_relu_mlp(spec.expert.feed_forward);
  spec.gating = nn::Gating::sigmoid;
  spec.selection_bias = true;
  spec.latent = h.count("moe_latent_size", 0);
  return spec;
}

}  // namespace

ModelSpec nemotron_h(const Hyperparameters& h) {
  nn::DecoderSpec spec = decoder(h, {});
  nn::AttentionSpec attending = attention(h);
  const auto heads = kv_heads(h), feed_forward = h.counts("feed_forward_length", heads.size());
  for (std::size_t i = 0; i < heads.size(); ++i) {
    nn::SublayerSpec only{.pre_norm = "attn_norm"};
    attending.kv_heads = heads[i];
    if (feed_forward[i] != 0 && has_experts(h)) only.block = mixture(h);
    else if (feed_forward[i] != 0) only.block = squared_relu_mlp(feed_forward[i]);
    else if (heads[i] != 0) only.block = attending;
    else only.block = mamba2_block(h);
    spec.stack.layers[i] = {.sublayers = {only}};
  }
  return decoder_only(std::move(spec));
}

}  // namespace heed::models

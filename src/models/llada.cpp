// Masked diffusion models: LLaDA (arXiv:2502.09992), its mixture, Dream (arXiv:2508.15487) and RND1. They are known architectures
// with attention in both directions. They predict masked tokens, and write texts by unmasking (runtime/unmasking.hpp).
#include "models/common.hpp"
#include "models/experts.hpp"
#include "models/families.hpp"

namespace heed::models {
namespace {

ModelSpec predicting(ModelSpec decoder, const Hyperparameters& h) {
  ModelSpec spec = encoder_only(std::move(*decoder.decoder), h);
  spec.encoder->predicts = true;
  spec.encoder->predicts_next = h.metadata().flag("diffusion.shift_logits", true);
  return spec;
}

ModelSpec with_experts_like_qwen(const Hyperparameters& h, bool normalized) {
  nn::ExpertsSpec mixture = softmax_experts(h);
  mixture.normalized = normalized;
  const auto attention = normed_attention(h, nn::RopePairing::halves);
  return predicting(decoder_only(decoder(h, pre_norm_layer(attention, mixture))), h);
}

}  // namespace

ModelSpec llada(const Hyperparameters& h) { return predicting(llama(h), h); }
ModelSpec llada_moe(const Hyperparameters& h) { return with_experts_like_qwen(h, false); }
ModelSpec dream(const Hyperparameters& h) { return predicting(qwen2(h), h); }
ModelSpec rnd1(const Hyperparameters& h) { return with_experts_like_qwen(h, true); }

}  // namespace heed::models

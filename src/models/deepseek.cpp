// DeepSeekMoE (arXiv:2401.06066), the first DeepSeek: LLaMA with a few dense layers, then mixtures with shared experts; and the text
// part of DeepSeek-OCR (arXiv:2510.18234).
#include "models/common.hpp"
#include "models/experts.hpp"
#include "models/families.hpp"

namespace heed::models {
namespace {

ModelSpec with_experts(const Hyperparameters& h, const nn::AttentionSpec& attention, const nn::ExpertsSpec& mixture) {
  nn::DecoderSpec spec = decoder(h, pre_norm_layer(attention, mixture));
  make_first_dense(spec.stack, h);
  return decoder_only(std::move(spec));
}

}  // namespace

ModelSpec deepseek(const Hyperparameters& h) {
  nn::ExpertsSpec mixture = experts_and_shared(h, false);
  mixture.gating = nn::Gating::softmax;  // these two are fixed, whatever the file says
  mixture.normalized = false;
  return with_experts(h, rotary_attention(h, nn::RopePairing::interleaved), mixture);
}

ModelSpec deepseek2_ocr(const Hyperparameters& h) {
  nn::AttentionSpec attention = rotary_attention(h, nn::RopePairing::halves);
  attention.rope->dims = attention.key_dim;
  return with_experts(h, attention, experts_and_shared(h, false));
}

/// dots.llm1 (arXiv:2506.05767)
ModelSpec dots1(const Hyperparameters& h) {
  return with_experts(h, normed_attention(h, nn::RopePairing::halves), experts_and_shared(h, false));
}

}  // namespace heed::models

// LLaMA and models with the same architecture: Llama 2 and 3, Mistral, SmolLM, TinyLlama (arXiv:2302.13971, arXiv:2407.21783); with
// experts, Mixtral (arXiv:2401.04088). Also LLaMA as an encoder, and Maincoder, which normalizes queries and keys after RoPE.
#include "models/common.hpp"
#include "models/experts.hpp"
#include "models/families.hpp"

namespace heed::models {

ModelSpec llama(const Hyperparameters& h) {
  const auto attention = rotary_attention(h, nn::RopePairing::interleaved);
  const auto layer = has_experts(h) ? pre_norm_layer(attention, experts(h, true)) : pre_norm_layer(attention, gated_mlp(h));
  return decoder_only(decoder(h, layer));
}

ModelSpec llama_embed(const Hyperparameters& h) { return encoder_only(std::move(*llama(h).decoder), h); }

ModelSpec maincoder(const Hyperparameters& h) {
  nn::AttentionSpec attention = normed_attention(h, nn::RopePairing::interleaved);
  attention.qk_norm->after_rope = true;
  return decoder_only(decoder(h, pre_norm_layer(attention, gated_mlp(h))));
}

}  // namespace heed::models

// LLaMA and models with the same architecture: Llama 2 and 3, Mistral, SmolLM, TinyLlama (arXiv:2302.13971, arXiv:2407.21783); with
// experts, Mixtral (arXiv:2401.04088).
#include "models/common.hpp"
#include "models/families.hpp"

namespace heed::models {

ModelSpec llama(const Hyperparameters& h) {
  const auto attention = rotary_attention(h, nn::RopePairing::interleaved);
  const auto layer = has_experts(h) ? pre_norm_layer(attention, experts(h, true)) : pre_norm_layer(attention, gated_mlp(h));
  return decoder_only(decoder(h, rms_norm(h), layer));
}

}  // namespace heed::models

// LLaMA and what is built as it is: Llama 2 and 3, Mistral, SmolLM, TinyLlama. arXiv:2302.13971, arXiv:2407.21783
#include "models/common.hpp"
#include "models/families.hpp"

namespace heed::models {

nn::DecoderSpec llama(const Hyperparameters& h) {
  if (h.count("expert_count", 0) != 0)
    throw Error(ErrorCode::unsupported, "mixtures of experts are not there yet", h.full("expert_count"));
  nn::DecoderSpec spec = stack_shape(h);
  spec.norm = {nn::NormKind::rms, h.number("attention.layer_norm_rms_epsilon")};
  spec.attention.rope = rope_spec(h, nn::RopePairing::interleaved, spec.attention.head_dim);
  spec.mlp.activation = kernels::Activation::silu;
  spec.mlp.gated = true;
  return spec;
}

}  // namespace heed::models

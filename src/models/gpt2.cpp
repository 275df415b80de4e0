// GPT-2: LayerNorm with bias, learned positions, fused QKV, GELU. "Language Models are Unsupervised Multitask Learners",
// Radford et al. 2019
#include "models/common.hpp"
#include "models/families.hpp"

namespace heed::models {

nn::DecoderSpec gpt2(const Hyperparameters& h) {
  nn::DecoderSpec spec = stack_shape(h);
  spec.norm = {nn::NormKind::layer, h.number("attention.layer_norm_epsilon")};
  spec.learned_positions = true;
  spec.attention.biased = true;
  spec.mlp.activation = kernels::Activation::gelu_tanh;
  spec.mlp.gated = false;
  spec.mlp.biased = true;
  return spec;
}

}  // namespace heed::models

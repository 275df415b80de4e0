// BitNet b1.58 (arXiv:2402.17764): LLaMA with weights of three values, and norms before the last matrix of attention and of the MLP.
#include "models/common.hpp"
#include "models/families.hpp"

namespace heed::models {

ModelSpec bitnet(const Hyperparameters& h) {
  nn::AttentionSpec attention = rotary_attention(h, nn::RopePairing::halves);
  attention.sub_norm = rms_norm(h);
  nn::MlpSpec mlp = gated_mlp(h);
  mlp.sub_norm = rms_norm(h);
  return decoder_only(decoder(h, pre_norm_layer(attention, mlp)));
}

}  // namespace heed::models

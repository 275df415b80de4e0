// GPT-NeoX and Pythia (arXiv:2204.06745): RoPE on a part of each head, attention and MLP in parallel or in sequence.
#include "models/common.hpp"
#include "models/families.hpp"

namespace heed::models {

ModelSpec gptneox(const Hyperparameters& h) {
  nn::AttentionSpec attention = rotary_attention(h, nn::RopePairing::halves);
  attention.biased = true;
  nn::LayerSpec layer = pre_norm_layer(attention, plain_mlp(h));
  layer.parallel = h.flag("use_parallel_residual", true);
  return decoder_only(decoder(h, layer_norm(h), layer));
}

}  // namespace heed::models

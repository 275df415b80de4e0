// Kimi Linear (arXiv:2510.26692): the delta rule with a decay for each channel in most layers, latent attention without positions in
// the others; a few dense layers, then mixtures with shared experts.
#include "models/common.hpp"
#include "models/experts.hpp"
#include "models/families.hpp"

namespace heed::models {

ModelSpec kimi_linear(const Hyperparameters& h) {
  nn::LatentAttentionSpec latent = latent_attention(h, nn::RopePairing::halves);
  latent.rotates = false;
  const nn::KimiDeltaSpec delta{.taps = h.count("ssm.conv_kernel"),
                                .heads = h.count("attention.head_count"),
                                .dim = h.count("kda.head_dim"),
                                .norm = rms_norm(h)};
  nn::ExpertsSpec mixture = experts_and_shared(h, true, nn::Gating::sigmoid);
  mixture.gating = nn::Gating::sigmoid;  // these two are fixed, whatever the file says
  mixture.normalized = true;
  const auto heads = h.counts("attention.head_count_kv", layer_count(h));
  nn::DecoderSpec spec = decoder(h, pre_norm_layer(latent, mixture));
  for (std::size_t i = 0; i < heads.size(); ++i)
    if (heads[i] == 0) spec.stack.layers[i].sublayers[0].block = delta;
  make_first_dense(spec.stack, h);
  return decoder_only(std::move(spec));
}

}  // namespace heed::models

// Mamba 2 (arXiv:2405.21060), and what takes turns with it or runs beside it: Granite 4 (granitehybrid) and Falcon-H1
// (arXiv:2507.22448).
#include "models/common.hpp"
#include "models/families.hpp"

namespace heed::models {

ModelSpec mamba2(const Hyperparameters& h) {
  return decoder_only(decoder(h, rms_norm(h), {.sublayers = {{.pre_norm = "attn_norm", .mix = mamba2_mix(h)}}}));
}

ModelSpec granitehybrid(const Hyperparameters& h) {
  ModelSpec spec = granite(h);
  const bool rotates = h.flag("rope.scaling.finetuned", false);
  const auto heads = kv_heads(h);
  for (std::size_t i = 0; i < heads.size(); ++i) {
    nn::SublayerSpec::Mix& mix = spec.decoder->stack.layers[i].sublayers[0].mix;
    if (heads[i] == 0) mix = mamba2_mix(h);
    else if (!rotates) std::get<nn::AttentionSpec>(mix).rope.reset();
  }
  return spec;
}

ModelSpec falcon_h1(const Hyperparameters& h) {
  const nn::LayerSpec layer{.sublayers = {{.pre_norm = "attn_norm", .mix = mamba2_mix(h)},
                                          {.pre_norm = "attn_norm", .mix = rotary_attention(h, nn::RopePairing::halves)},
                                          {.pre_norm = "ffn_norm", .mix = gated_mlp(h)}},
                            .parallel = true,
                            .serial_last = true};
  return decoder_only(decoder(h, rms_norm(h), layer));
}

}  // namespace heed::models

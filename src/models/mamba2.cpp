// Mamba 2 (arXiv:2405.21060), and hybrids with attention: in alternating layers, Granite 4 (granitehybrid); in parallel, Falcon-H1
// (arXiv:2507.22448).
#include "models/common.hpp"
#include "models/families.hpp"

namespace heed::models {

ModelSpec mamba2(const Hyperparameters& h) {
  return decoder_only(decoder(h, {.sublayers = {{.pre_norm = "attn_norm", .block = mamba2_block(h)}}}));
}

ModelSpec granitehybrid(const Hyperparameters& h) {
  ModelSpec spec = granite(h);
  const bool rotates = h.flag("rope.scaling.finetuned", false);
  const auto heads = kv_heads(h);
  for (std::size_t i = 0; i < heads.size(); ++i) {
    nn::BlockSpec& block = spec.decoder->stack.layers[i].sublayers[0].block;
    if (heads[i] == 0) block = mamba2_block(h);
    else if (!rotates) std::get<nn::AttentionSpec>(block).rope.reset();
  }
  return spec;
}

ModelSpec falcon_h1(const Hyperparameters& h) {
  const nn::LayerSpec layer{.sublayers = {{.pre_norm = "attn_norm", .block = mamba2_block(h)},
                                          {.pre_norm = "attn_norm", .block = rotary_attention(h, nn::RopePairing::halves)},
                                          {.pre_norm = "ffn_norm", .block = gated_mlp(h)}},
                            .parallel = true,
                            .serial_last = true};
  return decoder_only(decoder(h, layer));
}

}  // namespace heed::models

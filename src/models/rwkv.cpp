// RWKV 6 (arXiv:2404.05892) and 7 (arXiv:2503.14456); ARWKV 7 (arXiv:2501.15570): the time mix of 7 in the place of attention in Qwen.
#include "models/common.hpp"
#include "models/families.hpp"

namespace heed::models {
namespace {

nn::RwkvTimeMixSpec time_mix(const Hyperparameters& h, int version) {
  nn::RwkvTimeMixSpec spec{.version = version, .head_dim = h.count("wkv.head_size")};
  if (spec.head_dim == 0 || h.count("embedding_length") % spec.head_dim != 0)
    throw Error(ErrorCode::invalid_file, "must divide embedding_length", h.full("wkv.head_size"));
  if (version == 6) {
    spec.mix_rank = h.count("time_mix_extra_dim");
    spec.decay_rank = h.count("time_decay_extra_dim");
    return spec;
  }
  spec.decay_rank = h.count("attention.decay_lora_rank");
  spec.rate_rank = h.count("attention.iclr_lora_rank");
  spec.value_rank = h.count("attention.value_residual_mix_lora_rank");
  spec.gate_rank = h.count("attention.gate_lora_rank", 0);
  return spec;
}

nn::DecoderSpec without_positions(const Hyperparameters& h, const nn::NormSpec& norm, const nn::LayerSpec& layer) {
  nn::DecoderSpec spec;
  spec.embedding = embedding(h);
  spec.stack.width = spec.embedding.width;
  spec.stack.norm = norm;
  spec.stack.layers.assign(layer_count(h), layer);
  return spec;
}

ModelSpec rwkv(const Hyperparameters& h, int version) {
  nn::RwkvTimeMixSpec mix = time_mix(h, version);
  mix.state_offset = h.count("embedding_length");
  const nn::RwkvChannelMixSpec channel_mix{.feed_forward = h.count("feed_forward_length"), .receptance = version == 6};
  const nn::LayerSpec layer{
      .sublayers = {{.pre_norm = "attn_norm", .block = mix}, {.pre_norm = "attn_norm_2", .block = channel_mix}}};
  nn::DecoderSpec spec = without_positions(h, layer_norm(h), layer);
  spec.embedding.norm = "token_embd_norm";
  if (version == 7) std::get<nn::RwkvTimeMixSpec>(spec.stack.layers[0].sublayers[0].block).first = true;
  const std::size_t every = h.count("rescale_every_n_layers", 0);
  for (std::size_t i = 0; i < spec.stack.layers.size(); ++i)
    if (ends_group(i, every)) spec.stack.layers[i].sublayers[1].scale = 0.5f;
  return decoder_only(std::move(spec));
}

}  // namespace

ModelSpec rwkv6(const Hyperparameters& h) { return rwkv(h, 6); }
ModelSpec rwkv7(const Hyperparameters& h) { return rwkv(h, 7); }

ModelSpec arwkv7(const Hyperparameters& h) {
  nn::DecoderSpec spec = without_positions(h, rms_norm(h), pre_norm_layer(time_mix(h, 7), gated_mlp(h)));
  std::get<nn::RwkvTimeMixSpec>(spec.stack.layers[0].sublayers[0].block).first = true;
  return decoder_only(std::move(spec));
}

}  // namespace heed::models

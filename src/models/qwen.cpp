// Qwen 2 (arXiv:2407.10671) and 3 (arXiv:2505.09388), dense and with experts; the text parts of Qwen2-VL (arXiv:2409.12191) and
// Qwen3-VL (arXiv:2511.21631); and Seed-OSS, with the architecture of Qwen 2.
#include "models/common.hpp"
#include "models/experts.hpp"
#include "models/families.hpp"

namespace heed::models {
namespace {

/// The text model of a vision-language model: images have positions on several axes. In Qwen3-VL, rows of images are also added in
/// the first layers.
ModelSpec with_pictures(ModelSpec spec, const Hyperparameters& h, nn::RopeAxes axes) {
  nn::StackSpec& stack = spec.decoder->stack;
  for_each_attention(stack, [&](nn::AttentionSpec& attention, std::size_t) { set_rope_sections(*attention.rope, h, axes); });
  stack.deep_rows = h.count("n_deepstack_layers", 0);
  return spec;
}

}  // namespace

ModelSpec qwen2(const Hyperparameters& h) {
  const auto attention = rotary_attention(h, nn::RopePairing::halves);
  return decoder_only(decoder(h, pre_norm_layer(attention, gated_mlp(h))));
}

/// The first Qwen: the file states twice the width of its MLP.
ModelSpec qwen(const Hyperparameters& h) {
  ModelSpec spec = qwen2(h);
  for (nn::LayerSpec& layer : spec.decoder->stack.layers) std::get<nn::MlpSpec>(last_block(layer)).feed_forward /= 2;
  return spec;
}

/// The text part of CogVLM2 (arXiv:2408.16500), which has separate matrices for images.
ModelSpec cogvlm(const Hyperparameters& h) {
  ModelSpec spec = qwen2(h);
  for_each_attention(spec.decoder->stack, [](nn::AttentionSpec& attention, std::size_t) { attention.rope->theta = 10000; });
  spec.decoder->stack.unread = "vis_";
  return spec;
}

ModelSpec qwen2moe(const Hyperparameters& h) {
  nn::ExpertsSpec mixture = experts(h, false);
  mixture.shared = h.count("expert_shared_feed_forward_length", h.count("feed_forward_length"));
  mixture.shared_gate = true;
  const auto attention = rotary_attention(h, nn::RopePairing::halves);
  return decoder_only(decoder(h, pre_norm_layer(attention, mixture)));
}

ModelSpec qwen3(const Hyperparameters& h) {
  return decoder_only(decoder(h, pre_norm_layer(normed_attention(h, nn::RopePairing::halves), gated_mlp(h))));
}

ModelSpec qwen3moe(const Hyperparameters& h) {
  return decoder_only(decoder(h, pre_norm_layer(normed_attention(h, nn::RopePairing::halves), experts(h, true))));
}

ModelSpec qwen2vl(const Hyperparameters& h) { return with_pictures(qwen2(h), h, nn::RopeAxes::consecutive); }
ModelSpec qwen3vl(const Hyperparameters& h) { return with_pictures(qwen3(h), h, nn::RopeAxes::interleaved); }
ModelSpec qwen3vlmoe(const Hyperparameters& h) { return with_pictures(qwen3moe(h), h, nn::RopeAxes::interleaved); }

ModelSpec seed_oss(const Hyperparameters& h) {
  ModelSpec spec = qwen2(h);
  for (nn::LayerSpec& layer : spec.decoder->stack.layers) layer.sublayers[1].pre_norm = "post_attention_norm";
  return spec;
}

}  // namespace heed::models

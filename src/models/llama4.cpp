// Llama 4 (Meta, 2025): most layers attend within chunks and normalize queries and keys after RoPE; every fourth layer attends to
// all tokens, without position encoding (arXiv:2501.19399). The weight of an expert multiplies its input.
#include "models/common.hpp"
#include "models/experts.hpp"
#include "models/families.hpp"

namespace heed::models {
namespace {

constexpr std::size_t kChunk = 8192;  // this and the next are not in files
constexpr float kTemperature = 0.1f;
constexpr std::size_t kLargest = 128;  // experts of the model whose queries and keys have no norms

nn::ExpertsSpec mixture_of_llama4(const Hyperparameters& h) {
  nn::ExpertsSpec spec = experts(h, false);
  spec.gating = nn::Gating::sigmoid;  // these three are fixed, whatever the file says
  spec.normalized = false;
  spec.scale = 1;
  spec.weighs_input = true;
  spec.shared = spec.expert.feed_forward;
  return spec;
}

}  // namespace

ModelSpec llama4(const Hyperparameters& h) {
  nn::AttentionSpec attention = rotary_attention(h, nn::RopePairing::interleaved);
  attention.window = kChunk;
  attention.chunked = true;
  nn::NormSpec norm = rms_norm(h);
  norm.weighted = false;
  if (h.count("expert_count") != kLargest) attention.qk_norm = {.norm = norm, .after_rope = true};
  nn::DecoderSpec spec = decoder(h, pre_norm_layer(attention, gated_mlp(h)));
  for_each_attention(spec.stack, [](nn::AttentionSpec& of_layer, std::size_t layer) {
    if (!ends_group(layer, 4)) return;
    of_layer.rope.reset();
    of_layer.qk_norm.reset();
    of_layer.window = 0;
    of_layer.chunked = false;
    of_layer.temperature = kTemperature;
    of_layer.temperature_period = kChunk;
    of_layer.temperature_offset = 1;
  });
  const std::size_t step = h.count("interleave_moe_layer_step", 1);
  for (std::size_t i = 0; i < spec.stack.layers.size(); ++i)
    if (ends_group(i, step)) last_block(spec.stack.layers[i]) = mixture_of_llama4(h);
  return decoder_only(std::move(spec));
}

}  // namespace heed::models

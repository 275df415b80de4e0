// Reads the description of attention in files: the attention.* keys.
#include <algorithm>
#include <cmath>

#include "models/common.hpp"

namespace heed::models {

std::vector<std::size_t> query_heads(const Hyperparameters& h) { return h.counts("attention.head_count", layer_count(h)); }

std::vector<std::size_t> kv_heads(const Hyperparameters& h) {
  const char* key = "attention.head_count_kv";
  return h.counts(h.contains(key) ? key : "attention.head_count", layer_count(h));
}

std::vector<bool> local_layers(const Hyperparameters& h, std::size_t period, Global global) {
  const char* key = "attention.sliding_window_pattern";
  const std::size_t layers = layer_count(h);
  if (h.lists(key)) return h.flags(key, layers, false);
  period = h.count(key, period);
  std::vector<bool> local(layers);
  for (std::size_t i = 0; i < layers; ++i)
    local[i] = global == Global::last ? !ends_group(i, period) : period == 0 || i % period != 0;
  return local;
}

void set_window(nn::AttentionSpec& attention, const Hyperparameters& h) {
  attention.window = h.count("attention.sliding_window");
  if (!attention.rope) return;
  attention.rope->theta = h.number("rope.freq_base_swa", attention.rope->theta);
  attention.rope->dims = h.count("rope.dimension_count_swa", attention.rope->dims);
}

void make_local(nn::AttentionSpec& attention, const Hyperparameters& h) {
  attention.window = h.count("attention.sliding_window");
  attention.rope->theta = h.number("rope.freq_base_swa", 10000.0f);
  attention.rope->scaling = nn::RopeScaling::none;
  attention.rope->factor = 1;
}

nn::AttentionSpec attention(const Hyperparameters& h) {
  nn::AttentionSpec spec;
  const std::vector<std::size_t> heads = query_heads(h);
  spec.heads = *std::ranges::max_element(heads);
  if (spec.heads == 0) throw Error(ErrorCode::invalid_file, "must not be 0", h.full("attention.head_count"));
  spec.kv_heads = kv_heads(h)[0];
  spec.key_dim = h.count("attention.key_length", h.count("embedding_length") / spec.heads);
  spec.value_dim = h.count("attention.value_length", spec.key_dim);
  spec.scale = 1.0f / std::sqrt(static_cast<float>(spec.key_dim));
  return spec;
}

nn::AttentionSpec rotary_attention(const Hyperparameters& h, nn::RopePairing pairing) {
  nn::AttentionSpec spec = attention(h);
  spec.rope = rope_spec(h, pairing, spec.key_dim);
  return spec;
}

nn::AttentionSpec normed_attention(const Hyperparameters& h, nn::RopePairing pairing) {
  nn::AttentionSpec spec = rotary_attention(h, pairing);
  spec.qk_norm = {.span = nn::QkNormSpan::head, .norm = rms_norm(h)};
  return spec;
}

nn::LatentAttentionSpec latent_attention(const Hyperparameters& h, nn::RopePairing pairing) {
  nn::LatentAttentionSpec spec;
  spec.absorbed = h.contains("attention.key_length_mla");
  const std::size_t key = h.count(spec.absorbed ? "attention.key_length_mla" : "attention.key_length");
  spec.heads = h.count("attention.head_count");
  if (spec.heads == 0) throw Error(ErrorCode::invalid_file, "must not be 0", h.full("attention.head_count"));
  spec.query_rank = h.count("attention.q_lora_rank", 0);
  spec.latent_dim = h.count("attention.kv_lora_rank");
  spec.value_dim = spec.absorbed ? h.count("attention.value_length_mla")
                                 : h.count("attention.value_length", h.count("embedding_length") / spec.heads);
  spec.norm = rms_norm(h);
  spec.rope = rope_spec(h, pairing, h.count("rope.dimension_count"));
  if (spec.rope.dims >= key)
    throw Error(ErrorCode::invalid_file, "must be less than attention.key_length", h.full("rope.dimension_count"));
  spec.plain_dim = key - spec.rope.dims;
  spec.scale = 1.0f / std::sqrt(static_cast<float>(key));
  return spec;
}

}  // namespace heed::models

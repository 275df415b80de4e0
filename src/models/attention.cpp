// Reads the description of attention in files: the attention.* keys.
#include <cmath>

#include "models/common.hpp"

namespace heed::models {

std::vector<std::size_t> kv_heads(const Hyperparameters& h) {
  const char* key = "attention.head_count_kv";
  return h.counts(h.contains(key) ? key : "attention.head_count", layer_count(h));
}

std::vector<bool> local_layers(const Hyperparameters& h, std::size_t period) {
  const char* key = "attention.sliding_window_pattern";
  const std::size_t layers = layer_count(h);
  if (h.lists(key)) return h.flags(key, layers, false);
  period = h.count(key, period);
  std::vector<bool> local(layers);
  for (std::size_t i = 0; i < layers; ++i) local[i] = !ends_group(i, period);
  return local;
}

void make_local(nn::AttentionSpec& attention, const Hyperparameters& h) {
  attention.window = h.count("attention.sliding_window");
  attention.rope->theta = h.number("rope.freq_base_swa", 10000.0f);
  attention.rope->scaling = nn::RopeScaling::none;
  attention.rope->factor = 1;
}

nn::AttentionSpec attention(const Hyperparameters& h) {
  nn::AttentionSpec spec;
  spec.heads = h.count("attention.head_count");
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

}  // namespace heed::models

#include "models/common.hpp"

#include <cmath>

namespace heed::models {

nn::DecoderSpec stack_shape(const Hyperparameters& h) {
  nn::DecoderSpec spec;
  spec.width = h.count("embedding_length");
  spec.layers = h.count("block_count");
  spec.context = h.count("context_length");
  spec.vocabulary = h.metadata().require<formats::Metadata::Strings>("tokenizer.ggml.tokens").size();
  spec.mlp.feed_forward = h.count("feed_forward_length");

  nn::AttentionSpec& attention = spec.attention;
  attention.heads = h.count("attention.head_count");
  attention.kv_heads = h.count("attention.head_count_kv", attention.heads);
  if (attention.heads == 0) throw Error(ErrorCode::invalid_file, "must not be 0", h.full("attention.head_count"));
  attention.head_dim = h.count("attention.key_length", spec.width / attention.heads);
  if (h.count("attention.value_length", attention.head_dim) != attention.head_dim)
    throw Error(ErrorCode::unsupported, "values must be as long as keys", h.full("attention.value_length"));
  attention.scale = 1.0f / std::sqrt(static_cast<float>(attention.head_dim));
  return spec;
}

nn::RopeSpec rope_spec(const Hyperparameters& h, nn::RopePairing pairing, std::size_t head_dim) {
  nn::RopeSpec rope;
  rope.pairing = pairing;
  rope.dims = h.count("rope.dimension_count", head_dim);
  rope.theta = h.number("rope.freq_base", 10000.0f);
  rope.magnitude = h.number("rope.scaling.attn_factor", 1.0f);

  // As llama.cpp reads it: a factor without a type is linear, once it was called scale_linear, and 0 is none.
  const std::string type = h.text("rope.scaling.type", "linear");
  const float factor = h.number("rope.scaling.factor", h.number("rope.scale_linear", 0.0f));
  if (factor != 0) rope.factor = factor;
  if (type == "linear") {
    rope.scaling = nn::RopeScaling::linear;
  } else if (type == "yarn") {
    rope.scaling = nn::RopeScaling::yarn;
    rope.original_context = h.count("rope.scaling.original_context_length", h.count("context_length"));
  } else if (type != "none") {
    throw Error(ErrorCode::unsupported, "RoPE scaling '" + type + "'; there are none, linear and yarn",
                h.full("rope.scaling.type"));
  }
  return rope;
}

}  // namespace heed::models

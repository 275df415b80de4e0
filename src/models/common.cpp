#include "models/common.hpp"

namespace heed::models {

nn::NormSpec rms_norm(const Hyperparameters& h) { return {nn::NormKind::rms, h.number("attention.layer_norm_rms_epsilon")}; }

nn::NormSpec layer_norm(const Hyperparameters& h) { return {nn::NormKind::layer, h.number("attention.layer_norm_epsilon")}; }

nn::MlpSpec gated_mlp(const Hyperparameters& h, kernels::Activation activation) {
  return {.feed_forward = h.count("feed_forward_length"), .activation = activation, .gated = true};
}

nn::MlpSpec plain_mlp(const Hyperparameters& h, kernels::Activation activation, bool biased) {
  return {.feed_forward = h.count("feed_forward_length"), .activation = activation, .gated = false, .biased = biased};
}

nn::EmbeddingSpec embedding(const Hyperparameters& h) {
  nn::EmbeddingSpec spec;
  spec.vocabulary = h.metadata().require<formats::Metadata::Strings>("tokenizer.ggml.tokens").size();
  spec.width = h.count("embedding_length");
  spec.context_length = h.count("context_length");
  return spec;
}

std::size_t layer_count(const Hyperparameters& h, std::string_view key) {
  constexpr std::size_t kMost = 1024;  // checked here, as there is no spec yet
  const std::size_t layers = h.count(key);
  if (layers > 0 && layers <= kMost) return layers;
  throw Error(ErrorCode::invalid_file, "must be from 1 to " + std::to_string(kMost), h.full(key));
}

nn::DecoderSpec decoder(const Hyperparameters& h, const nn::NormSpec& norm, const nn::LayerSpec& layer) {
  nn::DecoderSpec spec;
  spec.embedding = embedding(h);
  spec.stack.width = spec.embedding.width;
  spec.stack.norm = norm;
  spec.stack.layers.assign(layer_count(h), layer);
  for_each_attention(spec.stack,
                     [heads = kv_heads(h)](nn::AttentionSpec& attention, std::size_t i) { attention.kv_heads = heads[i]; });
  return spec;
}

}  // namespace heed::models

#include "models/common.hpp"

#include <algorithm>
#include <cmath>

namespace heed::models {

nn::NormSpec rms_norm(const Hyperparameters& h) { return {nn::NormKind::rms, h.number("attention.layer_norm_rms_epsilon")}; }

nn::NormSpec layer_norm(const Hyperparameters& h) { return {nn::NormKind::layer, h.number("attention.layer_norm_epsilon")}; }

namespace {

/// The width of the MLP; that of the first layer if layers differ.
std::size_t feed_forward(const Hyperparameters& h) {
  constexpr std::string_view kKey = "feed_forward_length";
  return h.lists(kKey) ? h.counts(kKey, layer_count(h))[0] : h.count(kKey);
}

}  // namespace

nn::MlpSpec gated_mlp(const Hyperparameters& h, kernels::Activation activation) {
  return {.feed_forward = feed_forward(h), .activation = activation, .gated = true};
}

nn::MlpSpec plain_mlp(const Hyperparameters& h, kernels::Activation activation, bool biased) {
  return {.feed_forward = feed_forward(h), .activation = activation, .gated = false, .biased = biased};
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
  for_each_attention(spec.stack, [kv = kv_heads(h)](nn::AttentionSpec& attention, std::size_t i) { attention.kv_heads = kv[i]; });
  if (h.lists("attention.head_count"))
    for_each_attention(spec.stack,
                       [heads = query_heads(h)](nn::AttentionSpec& attention, std::size_t i) { attention.heads = heads[i]; });
  if (h.lists("feed_forward_length"))
    for (std::size_t i = 0; const std::size_t width : h.counts("feed_forward_length", spec.stack.layers.size()))
      for (nn::SublayerSpec& sublayer : spec.stack.layers[i++].sublayers)
        if (auto* mlp = std::get_if<nn::MlpSpec>(&sublayer.block)) mlp->feed_forward = width;
  return spec;
}

nn::DecoderSpec decoder(const Hyperparameters& h, const nn::LayerSpec& layer) { return decoder(h, rms_norm(h), layer); }

void for_each_attention(nn::StackSpec& stack, void (*change)(const void*, nn::AttentionSpec&, std::size_t), const void* to) {
  for (std::size_t i = 0; i < stack.layers.size(); ++i)
    for (nn::SublayerSpec& sublayer : stack.layers[i].sublayers)
      if (auto* spec = std::get_if<nn::AttentionSpec>(&sublayer.block); spec && !spec->cross) change(to, *spec, i);
}

void leave_out_drafts(nn::StackSpec& stack, const Hyperparameters& h) {
  stack.drafts = h.count("nextn_predict_layers", 0);
  if (stack.drafts >= stack.layers.size())
    throw Error(ErrorCode::invalid_file, "must be less than block_count", h.full("nextn_predict_layers"));
  stack.layers.resize(stack.layers.size() - stack.drafts);
}

ModelSpec with_draft_heads(nn::DecoderSpec spec, const Hyperparameters& h, bool hands_normed) {
  nn::DraftSpec draft{.embedding = spec.embedding, .stack = spec.stack, .hands_normed = hands_normed};
  leave_out_drafts(spec.stack, h);
  std::vector<nn::LayerSpec>& heads = draft.stack.layers;
  for (std::size_t i = 0; i < heads.size(); ++i) heads[i].block = i;
  heads.erase(heads.begin(), heads.begin() + static_cast<std::ptrdiff_t>(spec.stack.layers.size()));
  draft.stack.final_norm = {};
  ModelSpec all = decoder_only(std::move(spec));
  if (!heads.empty()) all.draft = std::move(draft);
  return all;
}

std::vector<float> numbers_of_layers(const Hyperparameters& h, std::string_view key) {
  const std::size_t layers = layer_count(h);
  const auto* values = h.metadata().find<formats::Metadata::Floats>(h.full(key));
  if (!values) return std::vector<float>(layers);
  if (values->size() == layers && std::ranges::all_of(*values, [](float value) { return std::isfinite(value); })) return *values;
  throw Error(ErrorCode::invalid_file, "must hold a finite number for each of " + std::to_string(layers) + " layers", h.full(key));
}

}  // namespace heed::models

#include "runtime/describe.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "base/error.hpp"
#include "nn/per_layer_embedding.hpp"
#include "runtime/drafts/own_heads.hpp"
#include "tokenizer/token_roles.hpp"

namespace heed::runtime {

DType main_dtype(const formats::TensorFile& file) {
  std::map<DType, std::uint64_t> bytes;
  for (const auto& tensor : file.tensors)
    if (!nn::PerLayerEmbedding::keeps_as_stored(tensor.name)) bytes[tensor.dtype] += tensor.bytes;
  const auto most = std::max_element(bytes.begin(), bytes.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == bytes.end() ? DType::f32 : most->first;
}

namespace {

/// The values of tokenizer.chat_template and tokenizer.chat_template.NAME, by name.
std::vector<std::pair<std::string, std::string>> chat_templates(const formats::Metadata& metadata) {
  constexpr std::string_view kKey = "tokenizer.chat_template";
  std::vector<std::pair<std::string, std::string>> templates;
  const auto& values = metadata.values();
  for (auto entry = values.lower_bound(kKey); entry != values.end() && entry->first.starts_with(kKey); ++entry) {
    const std::string_view rest = std::string_view(entry->first).substr(kKey.size());
    const auto* text = std::get_if<std::string>(&entry->second);
    if (text && (rest.empty() || rest.starts_with('.'))) templates.emplace_back(rest.substr(rest.empty() ? 0 : 1), *text);
  }
  return templates;
}

/// Adds the properties of a sublayer's block to the description.
struct BlockDescriber {
  ModelInfo& info;
  std::uint32_t layer;

  void operator()(const nn::AttentionSpec& spec) const {
    info.heads = spec.heads;
    info.kv_heads = spec.kv_heads;
    info.head_dim = spec.key_dim;
  }
  void operator()(const nn::LatentAttentionSpec& spec) const {
    info.heads = info.kv_heads = spec.heads;
    info.head_dim = spec.plain_dim + spec.rope.dims;
  }
  void operator()(const nn::GatedDeltaNetSpec& spec) const { recurrent(spec.heads); }
  void operator()(const nn::Mamba2Spec& spec) const { recurrent(spec.heads); }
  void operator()(const nn::MambaSpec& spec) const { recurrent(spec.heads); }
  void operator()(const nn::RwkvTimeMixSpec& spec) const { recurrent(info.width / spec.head_dim); }
  void operator()(const nn::KimiDeltaSpec& spec) const { recurrent(spec.heads); }
  void operator()(const nn::MlpSpec& spec) const { info.feed_forward = spec.feed_forward; }
  void operator()(const nn::ExpertsSpec& spec) const {
    info.feed_forward = spec.expert.feed_forward;
    info.experts = spec.count;
    info.experts_used = spec.used;
  }
  // These blocks contribute nothing to ModelInfo.
  void operator()(const nn::ShortConvolutionSpec&) const {}
  void operator()(const nn::PerLayerInputSpec&) const {}
  void operator()(const nn::LaurelSpec&) const {}
  void operator()(const nn::MatrixSpec&) const {}
  void operator()(const nn::RwkvChannelMixSpec& spec) const { info.feed_forward = spec.feed_forward; }

 private:
  void recurrent(std::size_t heads) const {
    info.recurrent_layers.push_back(layer);
    info.recurrent_heads = heads;
  }
};

/// The length of the embedding of a text or an image; 0 if there is none.
std::size_t embedding_length(const nn::ModelSpec& spec) {
  if (spec.encoder) return spec.encoder->projections.empty() ? spec.encoder->stack.width : spec.encoder->projections.back().rows;
  if (!spec.vision) return 0;
  if (!spec.vision->projector.steps.empty()) return 0;
  return spec.vision->projection.name.empty() ? spec.vision->stack.width : spec.vision->projection.rows;
}

}  // namespace

ModelInfo describe(const nn::ModelSpec& spec, const formats::TensorFile& file) {
  ModelInfo info;
  info.architecture = file.metadata.text("general.architecture");
  info.name = file.metadata.text("general.name", "");
  info.weights = heed::info(main_dtype(file)).name;
  info.file_bytes = file.bytes;
  info.transcribes = spec.audio && spec.decoder;
  info.generates = spec.decoder && !spec.audio;
  info.embeds = spec.encoder.has_value();
  info.reranks = spec.encoder && spec.encoder->scores > 0;
  if (spec.encoder) info.pooling = spec.encoder->pooling;
  info.embedding_length = embedding_length(spec);
  info.sees = spec.vision && spec.vision->projector.steps.empty();
  if (spec.vision) {
    info.vision_layers = spec.vision->stack.layers.size();
    info.vision_heads = nn::self_attention(spec.vision->stack.layers[0])->heads;
    info.patches = spec.vision->patches.side();
  }

  const bool hears_only = spec.hearing && !spec.vision;
  const nn::StackSpec none{};
  const nn::StackSpec& stack = hears_only     ? none
                               : spec.decoder ? spec.decoder->stack
                               : spec.encoder ? spec.encoder->stack
                               : spec.draft   ? spec.draft->stack
                                              : spec.vision->stack;
  const nn::EmbeddingSpec embedding = hears_only     ? nn::EmbeddingSpec{.context_length = 1}
                                      : spec.decoder ? spec.decoder->embedding
                                      : spec.encoder ? spec.encoder->embedding
                                      : spec.draft   ? spec.draft->embedding
                                                     : nn::EmbeddingSpec{.context_length = spec.vision->patches.tokens()};
  info.layers = stack.layers.size();
  info.encoder_layers = spec.encoder ? spec.encoder->stack.layers.size() : spec.audio ? spec.audio->stack.layers.size() : 0;
  info.decoder_start = spec.decoder_start;
  if (spec.encoder && spec.encoder->predicts)
    info.mask_token = tokenizer::token_id(file.metadata, "tokenizer.ggml.mask_token_id", spec.encoder->embedding.vocabulary);
  info.width = stack.width;
  info.vocabulary = embedding.vocabulary;
  info.trained_context_length = embedding.context_length;
  for (std::uint32_t i = 0; i < stack.layers.size(); ++i)
    for (const nn::SublayerSpec& sublayer : stack.layers[i].sublayers) std::visit(BlockDescriber{info, i}, sublayer.block);
  info.chat_templates = chat_templates(file.metadata);
  return info;
}

void choose_draft_heads(nn::ModelSpec& spec, const formats::TensorFile& file, const LoadOptions& options) {
  const bool required = options.draft_heads == OwnHeads::required;
  if (!spec.decoder || !(spec.draft || required)) return;
  if (options.draft_heads == OwnHeads::off) spec.draft.reset();
  else read_own_heads(spec, file, required);
}

}  // namespace heed::runtime

#include "models/drafts.hpp"

#include "base/error.hpp"
#include "models/check.hpp"
#include "models/registry.hpp"

namespace heed::models {
namespace {

/// Checks that the assistant's layers can read the keys and values in the target's cache as if they had written them.
void check_assistant(const nn::DraftSpec& spec, const nn::StackSpec& target, const Check& check) {
  check.require(spec.assists == target.width, "embedding_length_out", "must be the width of the model that it drafts for");
  for (const nn::LayerSpec& layer : spec.stack.layers) {
    const nn::AttentionSpec& reader = *nn::self_attention(layer);
    const nn::AttentionSpec* const owner = *reader.keys_of < target.layers.size()
                                               ? nn::self_attention(target.layers[*reader.keys_of])
                                               : nullptr;
    check.require(owner && owner->kv_heads == reader.kv_heads && owner->key_dim == reader.key_dim &&
                      owner->value_dim == reader.value_dim && (owner->window == 0 || reader.window == owner->window),
                  "attention.head_count_kv", "must fit the keys and values of the model that it drafts for");
  }
}

/// Checks the layers as if each had its own keys and values.
void check_layers(nn::StackSpec stack, const Check& check) {
  for_each_attention(stack, [](nn::AttentionSpec& attention, std::size_t) { attention.keys_of.reset(); });
  check_stack(stack, check);
}

}  // namespace

nn::FeaturesSpec features(const Hyperparameters& h, const nn::StackSpec& target) {
  constexpr std::size_t kMost = 16;
  nn::FeaturesSpec spec{.width = h.count("target_hidden_size", target.width)};
  for (const std::int64_t layer : h.metadata().require<formats::Metadata::Integers>(h.full("target_layers"))) {
    if (layer < 0 || static_cast<std::uint64_t>(layer) > target.layers.size() || spec.layers.size() == kMost)
      throw Error(ErrorCode::invalid_file,
                  "must be at most " + std::to_string(kMost) + " layers of the model, which has " +
                      std::to_string(target.layers.size()),
                  h.full("target_layers"));
    spec.layers.push_back(static_cast<std::size_t>(layer));
  }
  if (spec.layers.empty()) throw Error(ErrorCode::invalid_file, "names no layer", h.full("target_layers"));
  return spec;
}

ModelSpec draft_spec(const formats::Metadata& metadata, bool has_layers, const ModelSpec& target) {
  const Hyperparameters h(metadata);
  const std::string architecture = metadata.text("general.architecture");
  if (!target.decoder) throw Error(ErrorCode::unsupported, "is for models with a decoder alone", "draft");
  if (architecture == "gemma4-assistant") {
    ModelSpec spec;
    spec.draft = gemma4_assistant(h, target.decoder->stack);
    check_layers(spec.draft->stack, Check(h));
    check_assistant(*spec.draft, target.decoder->stack, Check(h));
    return spec;
  }
  if (architecture == "eagle3" || architecture == "dflash") {
    ModelSpec spec;
    spec.draft = (architecture == "eagle3" ? eagle3 : dflash)(h, target.decoder->stack);
    check_stack(spec.draft->stack, Check(h));
    return spec;
  }
  ModelSpec spec = model_spec(metadata);
  if (spec.draft && !has_layers) spec.decoder.reset();
  return spec;
}

}  // namespace heed::models

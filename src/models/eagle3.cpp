// EAGLE-3 (arXiv:2503.01840): a layer that drafts for another model from what goes into three of its layers.
#include "models/drafts.hpp"

namespace heed::models {

nn::DraftSpec eagle3(const Hyperparameters& h, const nn::StackSpec& target) {
  constexpr std::size_t kMostLayers = 16;
  nn::EagleSpec eagle{.width = h.count("target_hidden_size", target.width),
                      .norms_features = h.flag("norm_before_fc", false),
                      .adds_normed = h.flag("norm_before_residual", false)};
  for (const std::int64_t layer : h.metadata().require<formats::Metadata::Integers>(h.full("target_layers"))) {
    if (layer < 0 || static_cast<std::uint64_t>(layer) > target.layers.size() || eagle.layers.size() == kMostLayers)
      throw Error(ErrorCode::invalid_file,
                  "must be at most " + std::to_string(kMostLayers) + " layers of the model, which has " +
                      std::to_string(target.layers.size()),
                  h.full("target_layers"));
    eagle.layers.push_back(static_cast<std::size_t>(layer));
  }
  if (eagle.layers.empty() || layer_count(h) != 1)
    throw Error(ErrorCode::unsupported, "must be one layer that reads some of the model's", h.full("block_count"));
  nn::AttentionSpec attention = rotary_attention(h, nn::RopePairing::interleaved);
  nn::DraftSpec spec{.embedding = embedding(h), .stack = decoder(h, {}).stack, .eagle = std::move(eagle)};
  attention.input = 2 * spec.stack.width;
  spec.stack.layers[0] = {.sublayers = {{.block = attention}, {.pre_norm = "ffn_norm", .block = gated_mlp(h)}}};
  spec.stack.final_norm = {};
  return spec;
}

}  // namespace heed::models

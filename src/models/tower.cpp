#include "models/tower.hpp"

#include <algorithm>
#include <cmath>

namespace heed::models {
namespace {

void read_colors(const Hyperparameters& h, const std::string& key, float (&colors)[3]) {
  const auto& values = h.metadata().require<formats::Metadata::Floats>(h.full(key));
  if (values.size() != 3) throw Error(ErrorCode::invalid_file, "must have three numbers", h.full(key));
  std::copy(values.begin(), values.end(), colors);
}

}  // namespace

nn::StackSpec tower(const Hyperparameters& h, const std::string& keys, std::string_view prefix, nn::Mask mask,
                    kernels::Activation activation) {
  nn::StackSpec stack;
  stack.width = h.count(keys + "embedding_length");
  stack.norm = {nn::NormKind::layer, h.number(keys + "attention.layer_norm_epsilon")};
  stack.prefix = prefix;
  stack.final_norm = "post_ln";

  nn::AttentionSpec attention;
  attention.heads = attention.kv_heads = h.count(keys + "attention.head_count");
  if (attention.heads == 0) throw Error(ErrorCode::invalid_file, "must not be 0", h.full(keys + "attention.head_count"));
  attention.key_dim = attention.value_dim = stack.width / attention.heads;
  attention.scale = 1.0f / std::sqrt(static_cast<float>(attention.key_dim));
  attention.mask = mask;
  attention.biased = true;
  attention.output = "out";
  const nn::MlpSpec mlp{.feed_forward = h.count(keys + "feed_forward_length"),
                        .activation = activation,
                        .gated = false,
                        .biased = true};
  const nn::LayerSpec layer{.sublayers = {{.pre_norm = "ln1", .block = attention}, {.pre_norm = "ln2", .block = mlp}}};
  stack.layers.assign(layer_count(h, keys + "block_count"), layer);
  return stack;
}

nn::PatchSpec patches(const Hyperparameters& h, const std::string& keys) {
  nn::PatchSpec spec;
  spec.image = h.count(keys + "image_size");
  spec.patch = h.count(keys + "patch_size");
  return spec;
}

images::Preparation normalizing(const Hyperparameters& h, const std::string& keys) {
  images::Preparation preparation;
  read_colors(h, keys + "image_mean", preparation.mean);
  read_colors(h, keys + "image_std", preparation.deviation);
  return preparation;
}

}  // namespace heed::models

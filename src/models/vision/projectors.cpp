#include "models/vision/projectors.hpp"

namespace heed::models {
namespace {

kernels::Activation activation(const Hyperparameters& h) {
  if (h.flag("use_gelu", false)) return kernels::Activation::gelu_tanh;
  return h.flag("use_silu", false) ? kernels::Activation::silu : kernels::Activation::gelu_quick;
}

template <class Block>
Block& block_of(nn::LayerSpec& layer, std::size_t i) {
  return std::get<Block>(layer.sublayers[i].block);
}

}  // namespace

nn::VisionSpec vision_tower(const Hyperparameters& h, nn::NormKind norm) {
  constexpr std::size_t kMostPatch = 256;
  nn::VisionSpec spec;
  spec.stack = tower(h, "vision.", "v.", nn::Mask::none, activation(h));
  spec.stack.norm.kind = norm;
  for (nn::LayerSpec& layer : spec.stack.layers) {
    block_of<nn::AttentionSpec>(layer, 0).biased = false;  // biases are optional
    block_of<nn::MlpSpec>(layer, 1).biased = false;
  }
  spec.patches = patches(h, "vision.");
  if (spec.patches.patch == 0 || spec.patches.patch > kMostPatch)
    throw Error(ErrorCode::invalid_file, "must be from 1 to " + std::to_string(kMostPatch), h.full("vision.patch_size"));
  spec.patches.class_token = nn::ClassToken::none;
  spec.preparation = normalizing(h, "vision.");
  spec.projector.width = h.count("vision.projection_dim");
  return spec;
}

std::size_t merge_factor(const Hyperparameters& h, const char* key, std::size_t fallback) {
  constexpr std::size_t kMost = 16;
  const std::size_t factor = fallback == 0 ? h.count(key) : h.count(key, fallback);
  if (factor == 0 || factor > kMost)
    throw Error(ErrorCode::invalid_file, "must be from 1 to " + std::to_string(kMost), h.full(key));
  return factor;
}

images::OwnSize own_size(const Hyperparameters& h, std::size_t unit, std::size_t least, std::size_t most, bool bounded) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 26;
  if (std::uint64_t{most} * unit * unit > kMost)
    throw Error(ErrorCode::invalid_file, "makes images of too many pixels", h.full("vision.patch_size"));
  const char *least_key = "vision.image_min_pixels", *most_key = "vision.image_max_pixels";
  images::OwnSize size{unit, least * unit * unit, most * unit * unit};
  if (!bounded) return size;
  size.least = h.count(least_key, size.least);
  size.most = h.count(most_key, size.most);
  if (size.most == 0 || size.most > kMost)
    throw Error(ErrorCode::invalid_file, "must be from 1 to " + std::to_string(kMost), h.full(most_key));
  if (size.least > size.most) throw Error(ErrorCode::invalid_file, "must be at most image_max_pixels", h.full(least_key));
  return size;
}

void rotate(nn::VisionSpec& spec, nn::RopeAxes axes, nn::RopePairing pairing, float theta) {
  for (nn::LayerSpec& layer : spec.stack.layers) {
    auto& attention = block_of<nn::AttentionSpec>(layer, 0);
    attention.rope = nn::RopeSpec{.pairing = pairing, .dims = attention.key_dim, .theta = theta, .divided = false, .axes = axes};
  }
}

void gate(nn::VisionSpec& spec) {
  for (nn::LayerSpec& layer : spec.stack.layers) block_of<nn::MlpSpec>(layer, 1).gated = true;
}

void add_mlp(nn::ProjectorSpec& spec, std::string_view first, std::string_view second, kernels::Activation activation) {
  spec.steps.insert(spec.steps.end(),
                    {nn::ProductStep{first}, nn::ActivationStep{activation}, nn::ProductStep{second, spec.width}});
}

}  // namespace heed::models

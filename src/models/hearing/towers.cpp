#include "models/hearing/towers.hpp"

namespace heed::models {

std::size_t stack_factor(const Hyperparameters& h) {
  constexpr std::size_t kMost = 64;
  const char* const key = "audio.projector.stack_factor";
  const std::size_t factor = h.count(key);
  if (factor == 0 || factor > kMost)
    throw Error(ErrorCode::invalid_file, "must be from 1 to " + std::to_string(kMost), h.full(key));
  return factor;
}

nn::ProjectorSpec sound_projector(const Hyperparameters& h) {
  nn::ProjectorSpec spec;
  spec.width = h.count("audio.projection_dim");
  return spec;
}

void add_sound_mlp(nn::ProjectorSpec& spec, std::string_view first, std::string_view second, kernels::Activation activation) {
  spec.steps.insert(spec.steps.end(),
                    {nn::ProductStep{first}, nn::ActivationStep{activation}, nn::ProductStep{second, spec.width}});
}

nn::ConformerSpec conformer(const Hyperparameters& h, nn::NormSpec norm) {
  return {.width = h.count("audio.embedding_length"),
          .heads = h.count("audio.attention.head_count"),
          .feed_forward = h.count("audio.feed_forward_length"),
          .layers = layer_count(h, "audio.block_count"),
          .norm = norm};
}

nn::NormSpec sound_norm(const Hyperparameters& h) { return {nn::NormKind::layer, h.number("audio.attention.layer_norm_epsilon")}; }

audio::FeatureSpec centered_frames(const Hyperparameters& h) {
  audio::FeatureSpec spec;
  spec.bands = h.count("audio.num_mel_bins");
  spec.transform = 512;
  spec.before = 256;
  return spec;
}

}  // namespace heed::models

// Qwen3-ASR and Qwen3-Omni (arXiv:2509.17765): convolutions over one second, then layers that attend within eight seconds.
#include "models/hearing/towers.hpp"

namespace heed::models {

nn::HearingSpec qwen3_hearing(const Hyperparameters& h) {
  constexpr auto kGelu = kernels::Activation::gelu;
  constexpr std::size_t kBlock = 100;  // frames
  nn::HearingSpec spec;
  audio::FeatureSpec& features = spec.features;
  features.bands = h.count("audio.num_mel_bins");
  features.transform = audio::kWindow;
  features.before = audio::kWindow / 2;
  features.front = features.back = audio::Beyond::mirrored;
  features.floor = 0x1p-24;
  features.levels = audio::Levels::decades;
  features.chunk = 8 * kBlock;
  features.unit = kBlock;
  spec.stem = nn::StemSpec{.convolutions = {{.name = "conv2d.1", .activation = kGelu},
                                            {.name = "conv2d.2", .activation = kGelu},
                                            {.name = "conv2d.3", .activation = kGelu}},
                           .time_last = true,
                           .block = kBlock,
                           .out = "conv_out",
                           .positions = "position_embd"};
  spec.stack = tower(h, "audio.", "a.", nn::Mask::none, kGelu);
  for (nn::LayerSpec& layer : spec.stack->layers) {
    std::get<nn::AttentionSpec>(layer.sublayers[0].block).biased = false;  // biases are optional
    std::get<nn::MlpSpec>(layer.sublayers[1].block).biased = false;
  }
  spec.projector = sound_projector(h);
  add_sound_mlp(spec.projector, "mm.a.mlp.1", "mm.a.mlp.2");
  spec.markers = {.before = "<|audio_start|>", .after = "<|audio_end|>"};
  return spec;
}

}  // namespace heed::models

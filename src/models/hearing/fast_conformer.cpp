// FastConformers (arXiv:2305.05084): LFM2-Audio (arXiv:2511.23404) and Parakeet.
#include "models/hearing/towers.hpp"

namespace heed::models {
namespace {

constexpr auto kRelu = kernels::Activation::relu;
using Kind = nn::StemConvolution::Kind;

/// NeMo's front end and subsampling by 8, as in FastConformer.
nn::HearingSpec fast_conformer(const Hyperparameters& h, nn::NormSpec norm) {
  nn::HearingSpec spec;
  spec.features = centered_frames(h);
  spec.features.symmetric = true;
  spec.features.pre_emphasis = 0.97;
  spec.features.floor = 0x1p-24;
  spec.features.adds_floor = true;
  spec.features.levels = audio::Levels::standardized;
  spec.stem = nn::StemSpec{.convolutions = {{.name = "conv1d.0", .activation = kRelu},
                                            {.name = "conv1d.2", .kind = Kind::by_channel},
                                            {.name = "conv1d.3", .kind = Kind::pointwise, .activation = kRelu},
                                            {.name = "conv1d.5", .kind = Kind::by_channel},
                                            {.name = "conv1d.6", .kind = Kind::pointwise, .activation = kRelu}},
                           .out = "pre_encode.out"};
  spec.conformer = conformer(h, norm);
  spec.projector = sound_projector(h);
  return spec;
}

}  // namespace

nn::HearingSpec lfm2_hearing(const Hyperparameters& h) {
  nn::HearingSpec spec = fast_conformer(h, {nn::NormKind::layer, 1e-5f});
  spec.features.keeps_last = false;
  spec.features.least = 2 * audio::kHop;  // a deviation needs two frames
  spec.conformer->sinusoid = 512;
  spec.conformer->taps = 9;
  spec.projector.steps = {nn::NormStep{"mm.a.mlp.0", {nn::NormKind::layer, 1e-5f}}};
  add_sound_mlp(spec.projector, "mm.a.mlp.1", "mm.a.mlp.3");
  spec.unread = {"a.position_embd.weight"};
  return spec;
}

nn::HearingSpec parakeet(const Hyperparameters& h) {
  nn::HearingSpec spec = fast_conformer(h, sound_norm(h));
  spec.features.given = true;
  spec.conformer->sinusoid = spec.conformer->width;
  spec.conformer->taps = h.count("audio.conv_kernel_size");
  spec.conformer->channel_norm = nn::ChannelNorm::batch;
  spec.projector.steps = {nn::NormStep{"mm.a.norm_pre", {nn::NormKind::rms, 1e-6f}}};
  add_sound_mlp(spec.projector, "mm.a.mlp.1", "mm.a.mlp.2", kernels::Activation::relu_squared);
  spec.unread = {"mm.model.mlp.0.weight", "mm.model.mlp.1.weight", "mm.model.mlp.3.weight"};
  return spec;
}

}  // namespace heed::models

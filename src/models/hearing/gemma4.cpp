// Gemma 4: a conformer (arXiv:2005.08100) whose rows attend to the last half second, or no tower.
#include <cmath>

#include "models/hearing/towers.hpp"

namespace heed::models {

nn::HearingSpec gemma4_hearing(const Hyperparameters& h) {
  constexpr double kLn2 = 0.6931471805599453;
  constexpr nn::NormSpec kNorm{nn::NormKind::rms, 1e-6f};
  nn::HearingSpec spec;
  spec.clamped = true;
  spec.features = centered_frames(h);
  spec.features.window = 320;
  spec.features.window_first = true;
  spec.features.before = 160;
  spec.features.magnitude = true;
  spec.features.scale = audio::MelScale::htk;
  spec.features.floor = 0.001;
  spec.features.needed = 161;
  spec.features.piece = 480000;
  spec.stem = nn::StemSpec{.convolutions = {{.name = "conv1d.0", .normed = true, .activation = kernels::Activation::relu},
                                            {.name = "conv1d.1", .normed = true, .activation = kernels::Activation::relu}},
                           .band_first = true,
                           .out = "input_projection"};
  nn::ConformerSpec layers = conformer(h, kNorm);
  layers.distances = nn::Distances::recent;
  layers.reach = 12;
  layers.sinusoid = layers.width;
  layers.query_scale = static_cast<float>(
      1 / (std::sqrt(static_cast<double>(layers.width) / static_cast<double>(layers.heads)) * kLn2));
  layers.key_scale = static_cast<float>(1.3132616875182228 / kLn2);  // ln(1 + e) / ln 2
  layers.softcap = 50;
  layers.taps = 5;
  layers.causal = true;
  layers.channel_norm = nn::ChannelNorm::rms;
  layers.attention_norm = "attn_pre_norm";
  layers.attention_post_norm = "attn_post_norm";
  layers.mlp_post_norm = "ffn_post_norm";
  layers.convolution_norm = "conv_norm";  // files have the names of these two norms exchanged
  layers.inner_norm = "norm_conv";
  spec.conformer = layers;
  spec.projector = sound_projector(h);
  spec.projector.steps = {nn::ProductStep{"a.pre_encode.out"},
                          nn::NormStep{.name = "mm.a.soft_emb_norm", .norm = kNorm, .bare = true},
                          nn::ProductStep{"mm.a.input_projection", spec.projector.width}};
  spec.markers = {.before = "<|audio>", .after = "<audio|>"};
  return spec;
}

nn::HearingSpec gemma4_samples(const Hyperparameters& h) {
  nn::HearingSpec spec;
  spec.features.bands = h.count("audio.num_mel_bins");
  spec.projector = sound_projector(h);
  spec.projector.steps = {nn::NormStep{"", {nn::NormKind::rms, 1e-6f}},
                          nn::ProductStep{"mm.a.input_projection", spec.projector.width}};
  spec.markers = {.before = "<|audio>", .after = "<audio|>"};
  return spec;
}

}  // namespace heed::models

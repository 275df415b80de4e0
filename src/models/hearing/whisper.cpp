// Towers like Whisper's (arXiv:2212.04356): Ultravox, Qwen2-Audio (arXiv:2407.10759), Voxtral (arXiv:2507.13264), Music Flamingo
// (arXiv:2511.10289), MERaLiON (arXiv:2412.09818) and GLM-ASR. Every sound is read in windows of 30 seconds, filled with silence.
#include "models/common.hpp"
#include "models/hearing/towers.hpp"

namespace heed::models {
namespace {

constexpr std::size_t kPositions = 1500;
constexpr auto kCurve = kernels::Activation::gelu;
constexpr nn::NormSpec kRms{nn::NormKind::rms, 1e-6f};

audio::FeatureSpec whisper_features(const Hyperparameters& h) {
  audio::FeatureSpec spec;
  spec.bands = h.count("audio.num_mel_bins");
  spec.transform = audio::kWindow;
  spec.before = audio::kWindow / 2;
  spec.front = audio::Beyond::mirrored;
  spec.floor = 0x1p-24;
  spec.levels = audio::Levels::decades;
  spec.silence = audio::kPadding;
  spec.chunk = 2 * kPositions;
  spec.whole_chunks = true;
  return spec;
}

nn::HearingSpec whisper_tower(const Hyperparameters& h) {
  nn::HearingSpec spec;
  spec.features = whisper_features(h);
  nn::AudioSpec tower;
  tower.mel.bands = spec.features.bands;
  tower.positions = kPositions;
  tower.activation = kCurve;
  tower.stack = models::tower(h, "audio.", "a.", nn::Mask::none, kCurve);
  tower.stack.final_norm = {};  // the projector applies it, because means may come first
  for (nn::LayerSpec& layer : tower.stack.layers) {
    std::get<nn::AttentionSpec>(layer.sublayers[0].block).biased = false;  // biases are optional
    std::get<nn::MlpSpec>(layer.sublayers[1].block).biased = false;
  }
  spec.whisper = std::move(tower);
  spec.projector = sound_projector(h);
  return spec;
}

nn::NormStep last_norm(const nn::HearingSpec& spec) { return {"a.post_ln", spec.whisper->stack.norm, true}; }

}  // namespace

nn::HearingSpec ultravox(const Hyperparameters& h) {
  nn::HearingSpec spec = whisper_tower(h);
  spec.projector.steps = {last_norm(spec),
                          nn::JoinStep{stack_factor(h)},
                          nn::NormStep{"mm.a.norm_pre", kRms},
                          nn::ProductStep{"mm.a.mlp.1"},
                          nn::HalvesStep{},
                          nn::NormStep{"mm.a.norm_mid", kRms},
                          nn::ProductStep{"mm.a.mlp.2", spec.projector.width}};
  return spec;
}

nn::HearingSpec qwen2_hearing(const Hyperparameters& h) {
  nn::HearingSpec spec = whisper_tower(h);
  spec.projector.steps = {nn::MeanStep{2}, last_norm(spec), nn::ProductStep{"mm.a.fc", spec.projector.width}};
  spec.markers = {.before = "<|audio_bos|>", .after = "<|audio_eos|>"};
  return spec;
}

nn::HearingSpec voxtral(const Hyperparameters& h) {
  nn::HearingSpec spec = whisper_tower(h);
  spec.projector.steps = {nn::MeanStep{2}, last_norm(spec), nn::JoinStep{stack_factor(h)}};
  add_sound_mlp(spec.projector, "mm.a.mlp.1", "mm.a.mlp.2");
  spec.markers = {.before = "[BEGIN_AUDIO]"};
  return spec;
}

nn::HearingSpec music_flamingo(const Hyperparameters& h) {
  nn::HearingSpec spec = whisper_tower(h);
  spec.projector.steps = {nn::MeanStep{2}, last_norm(spec)};
  add_sound_mlp(spec.projector, "mm.a.mlp.1", "mm.a.mlp.2");
  spec.markers = {.before = "<sound>"};
  return spec;
}

nn::HearingSpec meralion(const Hyperparameters& h) {
  nn::HearingSpec spec = whisper_tower(h);
  spec.projector.steps = {last_norm(spec),
                          nn::JoinStep{stack_factor(h)},
                          nn::NormStep{"mm.a.norm_pre", spec.whisper->stack.norm},
                          nn::ProductStep{"mm.a.mlp.0"},
                          nn::ActivationStep{kernels::Activation::silu},
                          nn::GatedStep{"mm.a.mlp.1", "mm.a.mlp.2", "mm.a.mlp.3", spec.projector.width}};
  return spec;
}

nn::HearingSpec glm_asr(const Hyperparameters& h) {
  nn::HearingSpec spec = whisper_tower(h);
  spec.projector.steps = {last_norm(spec), nn::NormStep{"mm.a.norm_pre", spec.whisper->stack.norm}, nn::JoinStep{stack_factor(h)}};
  add_sound_mlp(spec.projector, "mm.a.mlp.1", "mm.a.mlp.2");
  spec.projector.steps.push_back(nn::FrameStep{"v.boi", "v.eoi"});
  return spec;
}

}  // namespace heed::models

// The audio towers of llama.cpp's mmproj files, which belong to a text model in another file, and their common parts.
#pragma once

#include "models/tower.hpp"

namespace heed::models {

using HearingFamily = nn::HearingSpec(const Hyperparameters& h);

HearingFamily gemma4_hearing, gemma4_samples, glm_asr, granite_speech, lfm2_hearing, meralion, music_flamingo, parakeet,
    qwen2_hearing, qwen3_hearing, ultravox, voxtral;

/// audio.projector.stack_factor: rows that become one.
std::size_t stack_factor(const Hyperparameters& h);
/// The width of a projector's rows, and no steps.
nn::ProjectorSpec sound_projector(const Hyperparameters& h);
/// Appends second(f(first(x))).
void add_sound_mlp(nn::ProjectorSpec& spec, std::string_view first, std::string_view second,
                   kernels::Activation activation = kernels::Activation::gelu);

/// The layers of a conformer, by the file's keys; its kind of attention and convolution is the family's.
nn::ConformerSpec conformer(const Hyperparameters& h, nn::NormSpec norm);
/// LayerNorm with the file's epsilon.
nn::NormSpec sound_norm(const Hyperparameters& h);
/// Spectra of 512 samples, in the middle of which a frame is.
audio::FeatureSpec centered_frames(const Hyperparameters& h);

}  // namespace heed::models

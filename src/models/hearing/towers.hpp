// The audio towers of llama.cpp's mmproj files, which belong to a text model in another file, and their common parts.
#pragma once

#include "models/tower.hpp"

namespace heed::models {

using HearingFamily = nn::HearingSpec(const Hyperparameters& h);

HearingFamily gemma4_hearing, gemma4_samples, glm_asr, granite_speech, lfm2_hearing, meralion, music_flamingo, parakeet,
    qwen2_hearing, qwen3_hearing, ultravox, voxtral;

/// audio.projector.stack_factor: the number of rows that are joined to one.
std::size_t stack_factor(const Hyperparameters& h);
/// A projector with the file's row width, and no steps yet.
nn::ProjectorSpec sound_projector(const Hyperparameters& h);
/// Appends second(f(first(x))).
void add_sound_mlp(nn::ProjectorSpec& spec, std::string_view first, std::string_view second,
                   kernels::Activation activation = kernels::Activation::gelu);

/// The layers of a conformer, by the file's keys; the family sets the kinds of attention and convolution.
nn::ConformerSpec conformer(const Hyperparameters& h, nn::NormSpec norm);
/// LayerNorm with the file's epsilon.
nn::NormSpec sound_norm(const Hyperparameters& h);
/// Spectra of 512 samples, each centered on its frame.
audio::FeatureSpec centered_frames(const Hyperparameters& h);

}  // namespace heed::models

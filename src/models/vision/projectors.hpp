// The vision towers of llama.cpp's mmproj files, which belong to a text model in another file, and the parts that they share.
#pragma once

#include "models/tower.hpp"

namespace heed::models {

using VisionFamily = nn::VisionSpec(const Hyperparameters& h);

VisionFamily gemma3_vision, gemma4_vision, glm4_vision, idefics3, internvl, lfm2_vision, llava, paddleocr_vision, pixtral,
    qwen25_vision, qwen3_vision;

/// A tower of the keys clip.vision.*: `norm` is the kind of all its norms, the activation as the file says. Its preparation has the
/// colors' mean and deviation.
nn::VisionSpec vision_tower(const Hyperparameters& h, nn::NormKind norm);
/// vision.projector.scale_factor or vision.spatial_merge_size.
std::size_t merge_factor(const Hyperparameters& h, const char* key, std::size_t fallback);
/// A multiple of `unit` pixels per side, from least to most units; the file's own bounds replace these if it has them and `bounded`.
images::OwnSize own_size(const Hyperparameters& h, std::size_t unit, std::size_t least, std::size_t most, bool bounded);
/// Two axes of RoPE over whole heads.
void rotate(nn::VisionSpec& spec, nn::RopeAxes axes, nn::RopePairing pairing, float theta = 10000.0f);
/// Gated MLPs.
void gate(nn::VisionSpec& spec);
/// second(f(first(x))) at the end of a projector.
void add_mlp(nn::ProjectorSpec& spec, std::string_view first, std::string_view second, kernels::Activation activation);

}  // namespace heed::models

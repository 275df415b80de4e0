// The vision towers of llama.cpp's mmproj files, which belong to a text model in another file, and their common parts.
#pragma once

#include "models/tower.hpp"

namespace heed::models {

using VisionFamily = nn::VisionSpec(const Hyperparameters& h);

VisionFamily gemma3_vision, gemma4_vision, glm4_vision, idefics3, internvl, lfm2_vision, llava, paddleocr_vision, pixtral,
    qwen25_vision, qwen3_vision;

/// A tower by the keys clip.vision.*, with all norms of kind `norm`, the file's activation, and the mean and deviation of colors in
/// its preparation.
nn::VisionSpec vision_tower(const Hyperparameters& h, nn::NormKind norm);
/// The value of `key`: vision.projector.scale_factor or vision.spatial_merge_size. If `fallback` is 0, the key is required.
std::size_t merge_factor(const Hyperparameters& h, const char* key, std::size_t fallback);
/// Sides are multiples of `unit` pixels, and areas from `least` to `most` units squared. If `bounded`, the file's bounds take
/// precedence.
images::OwnSize own_size(const Hyperparameters& h, std::size_t unit, std::size_t least, std::size_t most, bool bounded);
/// Adds RoPE on two axes, over whole heads.
void rotate(nn::VisionSpec& spec, nn::RopeAxes axes, nn::RopePairing pairing, float theta = 10000.0f);
/// Makes MLPs gated.
void gate(nn::VisionSpec& spec);
/// Appends second(f(first(x))) to a projector.
void add_mlp(nn::ProjectorSpec& spec, std::string_view first, std::string_view second, kernels::Activation activation);

}  // namespace heed::models

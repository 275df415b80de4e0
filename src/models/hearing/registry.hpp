// The list of projector types for sounds.
#pragma once

#include <string>

#include "models/hyperparameters.hpp"
#include "nn/spec.hpp"

namespace heed::models {

/// The spec of an mmproj file with clip.has_audio_encoder. Throws unsupported for an unknown type, listing all known ones, and
/// invalid_file for invalid hyperparameters.
nn::HearingSpec hearing_spec(const Hyperparameters& h);

}  // namespace heed::models

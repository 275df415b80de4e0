// Checks the sizes of audio towers in files against bounds, so that no later computation of a size can overflow.
#pragma once

#include "models/hyperparameters.hpp"
#include "nn/spec.hpp"

namespace heed::models {

/// Throws invalid_file, naming the key, for a size that is out of range or inconsistent with others.
void check_hearing(const nn::HearingSpec& spec, const Hyperparameters& h);

}  // namespace heed::models

// The triangular filters that sum up a spectrum to bands which lie equidistantly on a scale of pitch, from 0 Hz to half of the rate.
#pragma once

#include <vector>

#include "audio/features/feature_spec.hpp"

namespace heed::audio {

/// bands x (transform / 2 + 1)
std::vector<float> mel_filters(MelScale scale, std::size_t bands, std::size_t transform);

}  // namespace heed::audio

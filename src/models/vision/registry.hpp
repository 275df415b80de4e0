// The list of projector types.
#pragma once

#include "formats/metadata.hpp"
#include "nn/spec.hpp"

namespace heed::models {

/// The checked spec of an mmproj file: of its tower for images, of its tower for sounds, or of both. Throws unsupported for an
/// unknown type, listing all known ones, and for a file that is not a projector; invalid_file for invalid hyperparameters.
nn::ModelSpec projector_spec(const formats::Metadata& metadata);

}  // namespace heed::models

// The only list of projector types.
#pragma once

#include "formats/metadata.hpp"
#include "nn/spec.hpp"

namespace heed::models {

/// The spec of an mmproj file's clip.projector_type, checked as model_spec() checks. Throws unsupported, listing the types that there are,
/// also for a file that is a model by itself; invalid_file for hyperparameters that make no sense.
nn::ModelSpec projector_spec(const formats::Metadata& metadata);

}  // namespace heed::models

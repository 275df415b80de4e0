// The only list of architecture names.
#pragma once

#include "formats/metadata.hpp"
#include "nn/spec.hpp"

namespace heed::models {

/// The spec of the file's general.architecture, checked: every size is in range and fits the others. Throws unsupported,
/// naming the architecture and listing those that there are; invalid_file for hyperparameters that make no sense.
nn::ModelSpec model_spec(const formats::Metadata& metadata);

}  // namespace heed::models

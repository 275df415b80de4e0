// The list of architecture names.
#pragma once

#include "formats/metadata.hpp"
#include "nn/spec.hpp"

namespace heed::models {

/// The checked spec of the file's general.architecture. Throws unsupported for an unknown architecture, naming the nearest, and for
/// a file that only supplements a model, naming its kind; invalid_file for invalid hyperparameters.
nn::ModelSpec model_spec(const formats::Metadata& metadata);

}  // namespace heed::models

// Reads the header of a model file, without the tensors.
#pragma once

#include <string>

#include "formats/tensor_file.hpp"

namespace heed::cli {

/// Throws io, invalid_file and unsupported.
formats::TensorFile read_header(const std::string& path);

}  // namespace heed::cli

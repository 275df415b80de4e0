// The header of a model file, read without the tensors behind it.
#pragma once

#include <string>

#include "formats/tensor_file.hpp"

namespace heed::cli {

/// Throws io, invalid_file and unsupported.
formats::TensorFile read_header(const std::string& path);

}  // namespace heed::cli

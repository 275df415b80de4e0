// The description of a model, from the header of its file.
#pragma once

#include "formats/tensor_file.hpp"
#include "nn/spec.hpp"
#include "runtime/model.hpp"

namespace heed::runtime {

/// The dtype of most of the weights' bytes.
DType main_dtype(const formats::TensorFile& file);

/// All but what depends on how it is loaded: context length, memory, threads and target.
ModelInfo describe(const nn::ModelSpec& spec, const formats::TensorFile& file);

}  // namespace heed::runtime

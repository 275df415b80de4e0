// What people want to know of a model, as its file's header tells.
#pragma once

#include "formats/tensor_file.hpp"
#include "nn/spec.hpp"
#include "runtime/model.hpp"

namespace heed::runtime {

/// The dtype that holds most of the weights' bytes.
DType main_dtype(const formats::TensorFile& file);

/// All but what the load decides: context, memory, threads and target.
ModelInfo describe(const nn::ModelSpec& spec, const formats::TensorFile& file);

}  // namespace heed::runtime

// The description of a model, from the header of its file.
#pragma once

#include "formats/tensor_file.hpp"
#include "nn/spec.hpp"
#include "runtime/load.hpp"
#include "runtime/model.hpp"

namespace heed::runtime {

/// The dtype that most bytes of the weights have.
DType main_dtype(const formats::TensorFile& file);

/// The description without what depends on load options: context length, memory, threads and target.
ModelInfo describe(const nn::ModelSpec& spec, const formats::TensorFile& file);

/// Leaves a decoder's heads for drafts out of the spec unless the options ask for them and the file has them.
void choose_draft_heads(nn::ModelSpec& spec, const formats::TensorFile& file, const LoadOptions& options);

}  // namespace heed::runtime

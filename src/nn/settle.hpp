// Completes a spec with properties that only the tensors of a file show. After that, the spec is exact, and so are the model's
// points, memory and description, which are derived from it.
#pragma once

#include "formats/tensor_file.hpp"
#include "nn/spec.hpp"

namespace heed::nn {

/// Sets each layer's gates, norms of queries and keys, sinks and experts, and the table of positions, where the spec says that
/// files may lack them.
void settle(ModelSpec& spec, const formats::TensorFile& file);

}  // namespace heed::nn

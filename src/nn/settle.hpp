// What a spec leaves to the tensors of a file: after this it says what the model has, and so do its points, its memory and its description.
#pragma once

#include "formats/tensor_file.hpp"
#include "nn/spec.hpp"

namespace heed::nn {

/// Settles each layer's gates, sinks and experts, and the table of positions, where the spec says that a file may lack them.
void settle(ModelSpec& spec, const formats::TensorFile& file);

}  // namespace heed::nn

// Heads for drafts in a model's own file: whether they are read, and the memory that they take.
#pragma once

#include <cstdint>

#include "formats/tensor_file.hpp"
#include "nn/spec.hpp"

namespace heed::runtime {

struct WorkspaceSize;

/// Bytes of a decoder's heads: scratch memory and logits (`beside`), and one sequence that fills the context.
struct HeadBytes {
  std::uint64_t beside = 0, sequence = 0;
};
HeadBytes bytes_of_heads(const nn::ModelSpec& spec, const WorkspaceSize& size);

/// Sets the spec up to read the decoder's heads, if the file has them. If it lacks them, removes them from the spec or, if they are
/// `required`, throws unsupported.
void read_own_heads(nn::ModelSpec& spec, const formats::TensorFile& file, bool required);
/// Removes the heads from the spec after read_own_heads() has found them.
void leave_out_own_heads(nn::ModelSpec& spec);

}  // namespace heed::runtime

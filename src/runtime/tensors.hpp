// The model's weights by their names in the file: dequantized, in the file's order of rows.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace heed::runtime {

class Model;

/// The shape of a tensor, outermost dimension first; the product of all dimensions but the last is the number of its rows. Throws
/// invalid_argument, listing tensors that can be read, for a tensor that cannot.
std::vector<std::size_t> tensor_shape(const Model& model, const std::string& name);

/// Rows [first, first + rows) as the model multiplies by them. Throws as tensor_shape() does, and invalid_argument for rows out of
/// range.
std::vector<float> tensor_rows(const Model& model, const std::string& name, std::size_t first, std::size_t rows);

}  // namespace heed::runtime

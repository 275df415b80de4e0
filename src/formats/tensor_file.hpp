// A model file, independent of its format: metadata, and a directory of tensors with their positions in the file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "formats/metadata.hpp"
#include "tensor/dtype.hpp"

namespace heed::formats {

struct TensorInfo {
  std::string name;
  DType dtype = DType::f32;
  /// Outermost dimension first: a weight matrix is {rows, columns}, with contiguous columns. 1 to 4 dimensions, none of them 0;
  /// `columns` is a multiple of the dtype's block.
  std::vector<std::size_t> shape;
  std::uint64_t offset = 0;  // from the start of the file, in bytes
  std::uint64_t bytes = 0;   // may exceed a size_t: check it before calling rows()

  std::size_t columns() const noexcept { return shape.back(); }
  std::size_t rows() const noexcept;  // product of all dimensions but the last
};

class TensorFile {
 public:
  std::string format;  // "GGUF 3"
  Metadata metadata;
  std::vector<TensorInfo> tensors;  // sorted by offset, without overlaps; names are unique
  std::uint64_t bytes = 0;          // minimum size of the file

  TensorFile() = default;
  /// Sorts the tensors. `header_bytes`: the size of the file before the first tensor. Throws invalid_file, naming the tensor, if
  /// two have the same name or overlap.
  TensorFile(std::string format, Metadata metadata, std::vector<TensorInfo> tensors, std::uint64_t header_bytes);

  /// nullptr if there is no tensor with this name.
  const TensorInfo* find(std::string_view name) const noexcept;

  /// Throws invalid_file if a file of `available` bytes is truncated.
  void require_bytes(std::uint64_t available) const;

 private:
  std::vector<std::uint32_t> by_name_;  // indices in `tensors`, sorted by name
};

}  // namespace heed::formats

// What every model file format is read into: metadata, and a directory of tensors with their place in the file.
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
  /// Outermost first, as one writes it: a weight matrix is {rows, columns}, columns contiguous. 1 to 4 dimensions.
  std::vector<std::size_t> shape;
  std::uint64_t offset = 0;  // from the start of the file, in bytes
  std::uint64_t bytes = 0;

  std::size_t columns() const noexcept { return shape.back(); }
  std::size_t rows() const noexcept;  // product of all dimensions but the last
};

struct TensorFile {
  Metadata metadata;
  std::vector<TensorInfo> tensors;  // in order of offset, not overlapping
  std::uint64_t bytes = 0;          // size that the file must at least have

  /// nullptr where there is none of that name.
  const TensorInfo* find(std::string_view name) const noexcept;
};

}  // namespace heed::formats

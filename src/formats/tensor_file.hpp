// What every model file format is read into: metadata, and a directory of tensors with their place in the
// file.
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
  /// Outermost first, as one writes it: a weight matrix is {rows, columns}, columns contiguous. 1 to 4
  /// dimensions, none of them 0; columns is a multiple of the dtype's block.
  std::vector<std::size_t> shape;
  std::uint64_t offset = 0;  // from the start of the file, in bytes
  std::uint64_t bytes = 0;   // a size_t may be too small for it: judge it before calling rows()

  std::size_t columns() const noexcept { return shape.back(); }
  std::size_t rows() const noexcept;  // product of all dimensions but the last
};

class TensorFile {
 public:
  std::string format;  // "GGUF 3"
  Metadata metadata;
  std::vector<TensorInfo> tensors;  // in order of offset, not overlapping, names unique
  std::uint64_t bytes = 0;          // size that the file must at least have

  TensorFile() = default;
  /// Puts the tensors in order. `header_bytes`: the part of the file before any tensor. Throws invalid_file,
  /// naming the tensor, where two have one name or overlap.
  TensorFile(std::string format, Metadata metadata, std::vector<TensorInfo> tensors, std::uint64_t header_bytes);

  /// nullptr where there is none of that name.
  const TensorInfo* find(std::string_view name) const noexcept;

  /// Throws invalid_file where a file of `available` bytes ends before its last tensor does.
  void require_bytes(std::uint64_t available) const;

 private:
  std::vector<std::uint32_t> by_name_;  // indices into tensors, in order of name
};

}  // namespace heed::formats

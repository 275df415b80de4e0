// GGUF version 2 and 3 headers: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "formats/tensor_file.hpp"

namespace heed::formats {

/// Reads a GGUF header from chunks as they arrive, so that a download can be judged before it is finished.
class GgufHeaderReader {
 public:
  /// Takes the next bytes of the file, in order. Returns the header once it is complete; from then on the bytes taken
  /// beyond it (tensor data) are in `rest`. Throws invalid_file for a malformed header, unsupported for a version,
  /// tensor type or feature that Heed does not have, naming it.
  std::optional<TensorFile> write(std::span<const std::byte> chunk);

  /// Bytes taken so far that come after header_bytes(); call once, after write returned a header.
  std::vector<std::byte> take_rest();

  /// Size of the header in bytes (position in the file where take_rest() begins).
  std::uint64_t header_bytes() const noexcept { return header_bytes_; }

 private:
  std::vector<std::byte> buffer_;
  std::size_t next_attempt_ = 0;  // a parse is tried again only when the buffer has doubled: linear work in all
  std::uint64_t header_bytes_ = 0;
};

/// Reads a whole header from memory. Same errors; a header that ends early is invalid_file.
TensorFile read_gguf_header(std::span<const std::byte> bytes);

}  // namespace heed::formats

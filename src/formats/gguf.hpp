// GGUF version 2 and 3 headers: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "formats/tensor_file.hpp"

namespace heed::formats {

/// Reads a GGUF header from chunks as they arrive, so that a download can be judged before it is finished.
/// Keeps no byte that is already understood; time and memory are linear in the header, which may be at most
/// 64 MiB.
class GgufHeaderReader {
 public:
  /// What is read may take `memory` bytes.
  explicit GgufHeaderReader(std::uint64_t memory = std::numeric_limits<std::uint64_t>::max());
  ~GgufHeaderReader();
  GgufHeaderReader(GgufHeaderReader&&) noexcept;
  GgufHeaderReader& operator=(GgufHeaderReader&&) noexcept;

  /// Takes the next bytes of the file, in order. Returns the header once it is complete (not to be called
  /// after that); bytes taken beyond it (padding, tensor data) are then in take_rest(). A file that ends
  /// before there is a header is truncated, which the caller has to notice. Throws invalid_file for a
  /// malformed header, unsupported for a version, tensor type or feature that Heed does not have, naming it, and
  /// out_of_memory instead of using more memory than allowed.
  std::optional<TensorFile> write(std::span<const std::byte> chunk);

  /// Bytes taken so far that come after header_bytes(); call once, after write returned a header.
  std::vector<std::byte> take_rest();

  /// Bytes of the header understood so far; once complete, its size, and the position in the file of
  /// take_rest().
  std::uint64_t header_bytes() const noexcept;

 private:
  class Parser;
  std::unique_ptr<Parser> parser_;
  std::vector<std::byte> buffer_;  // taken, and not yet understood
};

/// Reads a whole header from memory. Same errors; a header that ends early is invalid_file.
TensorFile read_gguf_header(std::span<const std::byte> bytes);

}  // namespace heed::formats

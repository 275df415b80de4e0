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

/// Parses a GGUF header from chunks as they arrive, so that errors show before a download is finished. Keeps no parsed bytes; time
/// and memory are linear in the header, which may be at most 64 MiB.
class GgufHeaderReader {
 public:
  /// `memory`: the limit of memory in bytes.
  explicit GgufHeaderReader(std::uint64_t memory = std::numeric_limits<std::uint64_t>::max());
  ~GgufHeaderReader();
  GgufHeaderReader(GgufHeaderReader&&) noexcept;
  GgufHeaderReader& operator=(GgufHeaderReader&&) noexcept;

  /// Parses the next bytes of the file. Returns the header once it is complete; must not be called after that. Bytes after the
  /// header (padding, tensor data) are then in take_rest(). The caller must notice a file that ends before the header is complete.
  /// Throws invalid_file for a malformed header; unsupported for a version, tensor type or feature that Heed lacks, naming it;
  /// out_of_memory instead of exceeding the limit.
  std::optional<TensorFile> write(std::span<const std::byte> chunk);

  /// The bytes passed to write() after the header. Call once, after write() has returned the header.
  std::vector<std::byte> take_rest();

  /// Bytes of the header parsed so far; once it is complete, its size, and the position of take_rest() in the file.
  std::uint64_t header_bytes() const noexcept;

 private:
  class Parser;
  std::unique_ptr<Parser> parser_;
  std::vector<std::byte> buffer_;  // received, not parsed yet
};

/// Parses a whole header from memory. Throws as write() does, and invalid_file for a truncated header.
TensorFile read_gguf_header(std::span<const std::byte> bytes);

}  // namespace heed::formats

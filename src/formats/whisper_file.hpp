// The files of whisper.cpp (https://github.com/ggml-org/whisper.cpp), `ggml-*.bin`: one header, then the tensors, each after its
// own header.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "formats/tensor_file.hpp"

namespace heed {
class ByteReader;
}

namespace heed::formats {

/// Reads a file from chunks as they arrive. Its header determines which tensors there are, so that memory can be planned before the
/// first one; they may come in any order. Metadata and names of tensors are those that a GGUF file would have; the audio tower's
/// are those of mmproj files (models/whisper.cpp).
class WhisperFileReader {
 public:
  /// Whether a file that begins with this byte is one of whisper.cpp, and not GGUF.
  static bool begins(std::byte first) noexcept { return first == std::byte{'l'}; }

  /// `memory`: the limit of memory in bytes. write() and take_rest() work, and throw, as in GgufHeaderReader.
  explicit WhisperFileReader(std::uint64_t memory = std::numeric_limits<std::uint64_t>::max()) : memory_(memory) {}
  std::optional<TensorFile> write(std::span<const std::byte> chunk);
  std::vector<std::byte> take_rest();

  /// A run of bytes of one tensor.
  struct Run {
    std::uint64_t offset = 0;  // where the bytes would be if the tensors came in the order of the TensorFile
    bool begins = false;       // whether these are the first bytes of a tensor
    std::span<const std::byte> bytes;
  };
  /// The next run of tensor bytes in `bytes`, from whose front it removes what it has read; absent if more bytes are needed. Call
  /// after the header is complete, with all bytes that follow it. Throws invalid_file for a tensor that the header does not
  /// promise, or that appears twice.
  std::optional<Run> next(std::span<const std::byte>& bytes);

  /// Throws invalid_file, naming the tensor, if one has not come.
  void require_all() const;

 private:
  struct Tensor {
    std::string stored_name;
    TensorInfo info;
    bool came = false;
  };
  void promise(const std::string& stored, const std::string& name, DType dtype, std::vector<std::size_t> shape);
  void read_fixed(ByteReader& in);
  TensorFile read_header();
  Tensor& read_tensor(std::span<const std::byte> bytes);

  std::uint64_t memory_;
  std::vector<std::byte> buffer_;  // received, not parsed yet
  std::size_t needed_ = 0;         // how many bytes buffer_ must have before parsing can go on
  std::size_t scanned_ = 0;        // bytes of the header that are complete
  std::uint32_t words_left_ = 0;
  std::vector<Tensor> tensors_;
  std::size_t missing_ = 0;          // tensors that have not come yet
  std::uint64_t end_ = 0;            // where the tensors promised so far end
  std::uint64_t at_ = 0, left_ = 0;  // offset of the next byte of the current tensor, and how many of its bytes are left
};

/// The header with which a file begins. Throws invalid_file if it is cut off.
TensorFile read_whisper_header(std::span<const std::byte> header);

}  // namespace heed::formats

// Strings and metadata values as GGUF stores them: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/byte_reader.hpp"
#include "formats/metadata.hpp"

namespace heed::formats {

enum class GgufType : std::uint32_t {
  u8 = 0,
  i8 = 1,
  u16 = 2,
  i16 = 3,
  u32 = 4,
  i32 = 5,
  f32 = 6,
  boolean = 7,
  string = 8,
  array = 9,
  u64 = 10,
  i64 = 11,
  f64 = 12
};

// All functions throw EndOfBytes for an incomplete value, and heed::Error, naming `key`, for an invalid one. None allocates memory
// for a stated length before checking that this many bytes exist.

std::string read_gguf_string(ByteReader& in);

/// The size of a number or a boolean in bytes.
std::size_t gguf_bytes(GgufType type, const std::string& key);

/// Reads a value that is not an array.
Metadata::Value read_gguf_scalar(ByteReader& in, GgufType type, const std::string& key);

/// Reads `count` (at most 2^56) elements that are neither strings nor arrays.
Metadata::Value read_gguf_array(ByteReader& in, GgufType type, std::uint64_t count, const std::string& key);

}  // namespace heed::formats

// Writes small GGUF files in memory, right ones and, where a test asks for it, wrong ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "tensor/dtype.hpp"

namespace heed::test {

/// Appends little-endian values.
class ByteWriter {
 public:
  template <class T>
    requires std::is_arithmetic_v<T>
  ByteWriter& put(T value) {
    const auto bytes = std::as_bytes(std::span(&value, 1));
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
    return *this;
  }

  ByteWriter& put(std::string_view text) {
    put(static_cast<std::uint64_t>(text.size()));
    return append(std::as_bytes(std::span(text)));
  }

  ByteWriter& append(std::span<const std::byte> bytes) {
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
    return *this;
  }

  void pad_to(std::size_t alignment) { bytes_.resize((bytes_.size() + alignment - 1) / alignment * alignment); }
  const std::vector<std::byte>& bytes() const { return bytes_; }

 private:
  std::vector<std::byte> bytes_;
};

/// A tensor's entry as it is stored: dimensions innermost first, the type's code, the offset within the data.
struct GgufTensor {
  std::string name;
  std::vector<std::uint64_t> dimensions = {};
  std::uint32_t type = 0;
  std::vector<std::byte> data = {};
  std::optional<std::uint64_t> offset = {};  // absent: after the tensor before, aligned
};

class GgufWriter {
 public:
  std::uint32_t version = 3;
  std::size_t alignment = 32;
  std::optional<std::uint64_t> claimed_metadata, claimed_tensors;  // absent: the true counts

  /// T: one of the scalar types, std::string, or a vector of those.
  template <class T>
  GgufWriter& set(std::string_view key, const T& value) {
    metadata_.put(key).put(type_code<T>());
    put_value(value);
    ++metadata_count_;
    return *this;
  }
  GgufWriter& set(std::string_view key, const char* text) { return set(key, std::string(text)); }

  /// A metadata entry of which only the key is well formed.
  GgufWriter& set_raw(std::string_view key, std::span<const std::byte> type_and_value) {
    metadata_.put(key).append(type_and_value);
    ++metadata_count_;
    return *this;
  }

  GgufWriter& tensor(GgufTensor tensor) {
    tensors_.push_back(std::move(tensor));
    return *this;
  }

  /// Shape outermost first.
  GgufWriter& tensor(std::string_view name, std::span<const std::size_t> shape, std::span<const float> values) {
    return tensor({.name = std::string(name),
                   .dimensions = {shape.rbegin(), shape.rend()},
                   .data = {std::as_bytes(values).begin(), std::as_bytes(values).end()}});
  }

  std::vector<std::byte> finish() const {
    ByteWriter file;
    file.append(std::as_bytes(std::span("GGUF", 4))).put(version);
    file.put<std::uint64_t>(claimed_tensors.value_or(tensors_.size()));
    file.put<std::uint64_t>(claimed_metadata.value_or(metadata_count_));
    file.append(metadata_.bytes());
    ByteWriter data;
    for (const auto& tensor : tensors_) {
      data.pad_to(alignment);
      file.put(std::string_view(tensor.name)).put(static_cast<std::uint32_t>(tensor.dimensions.size()));
      for (const auto dimension : tensor.dimensions) file.put(dimension);
      file.put(tensor.type).put<std::uint64_t>(tensor.offset.value_or(data.bytes().size()));
      data.append(tensor.data);
    }
    file.pad_to(alignment);
    file.append(data.bytes());
    return file.bytes();
  }

 private:
  template <class T>
  static constexpr std::uint32_t type_code() {
    if constexpr (std::is_same_v<T, std::uint8_t>) return 0;
    else if constexpr (std::is_same_v<T, std::int8_t>) return 1;
    else if constexpr (std::is_same_v<T, std::uint16_t>) return 2;
    else if constexpr (std::is_same_v<T, std::int16_t>) return 3;
    else if constexpr (std::is_same_v<T, std::uint32_t>) return 4;
    else if constexpr (std::is_same_v<T, std::int32_t>) return 5;
    else if constexpr (std::is_same_v<T, float>) return 6;
    else if constexpr (std::is_same_v<T, bool>) return 7;
    else if constexpr (std::is_same_v<T, std::string>) return 8;
    else if constexpr (std::is_same_v<T, std::uint64_t>) return 10;
    else if constexpr (std::is_same_v<T, std::int64_t>) return 11;
    else if constexpr (std::is_same_v<T, double>) return 12;
    else return 9;
  }

  template <class T>
  void put_value(const T& value) {
    if constexpr (std::is_arithmetic_v<T>) metadata_.put(value);
    else metadata_.put(std::string_view(value));
  }
  template <class T>
  void put_value(const std::vector<T>& values) {
    metadata_.put(type_code<T>()).template put<std::uint64_t>(values.size());
    for (const T& value : values) put_value(value);
  }

  ByteWriter metadata_;
  std::uint64_t metadata_count_ = 0;
  std::vector<GgufTensor> tensors_;
};

}  // namespace heed::test

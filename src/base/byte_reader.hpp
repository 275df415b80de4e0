// Bounds-checked reading of little-endian values from untrusted bytes.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <limits>
#include <span>
#include <type_traits>

namespace heed {

static_assert(std::endian::native == std::endian::little, "every target of Heed is little-endian");

/// Thrown by ByteReader if the bytes end too soon. Readers of chunks then wait for more; readers of whole files convert it to an
/// Error.
class EndOfBytes final : public std::exception {
 public:
  explicit EndOfBytes(std::uint64_t needed) noexcept : needed_(needed) {}

  /// How many bytes, counted from the reader's first one, the read needed.
  std::uint64_t needed() const noexcept { return needed_; }
  const char* what() const noexcept override { return "the bytes end too soon"; }

 private:
  std::uint64_t needed_;
};

class ByteReader {
 public:
  explicit ByteReader(std::span<const std::byte> bytes) noexcept : bytes_(bytes) {}

  std::size_t position() const noexcept { return position_; }
  std::size_t remaining() const noexcept { return bytes_.size() - position_; }

  /// The next sizeof(T) bytes. Throws EndOfBytes.
  template <class T>
    requires((std::is_arithmetic_v<T> && !std::is_same_v<T, bool>) || std::is_enum_v<T>)
  T read() {
    T value;
    std::memcpy(&value, take(sizeof(T)).data(), sizeof(T));
    return value;
  }

  /// A view of the next `count` bytes. Throws EndOfBytes.
  std::span<const std::byte> take(std::uint64_t count) {
    if (count > remaining()) throw EndOfBytes(saturating_sum(position_, count));
    const auto bytes = bytes_.subspan(position_, static_cast<std::size_t>(count));
    position_ += bytes.size();
    return bytes;
  }

 private:
  static std::uint64_t saturating_sum(std::uint64_t a, std::uint64_t b) noexcept {
    constexpr auto most = std::numeric_limits<std::uint64_t>::max();
    return b > most - a ? most : a + b;
  }

  std::span<const std::byte> bytes_;
  std::size_t position_ = 0;
};

}  // namespace heed

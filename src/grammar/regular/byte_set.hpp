// A set of bytes.
#pragma once

#include <array>
#include <bit>
#include <compare>
#include <cstddef>
#include <cstdint>

namespace heed::grammar {

class ByteSet {
 public:
  constexpr ByteSet() = default;
  /// The bytes from `first` to `last`, both included.
  static constexpr ByteSet range(std::uint8_t first, std::uint8_t last) {
    ByteSet set;
    for (unsigned byte = first; byte <= last; ++byte) set.insert(static_cast<std::uint8_t>(byte));
    return set;
  }
  static constexpr ByteSet of(std::uint8_t byte) { return range(byte, byte); }
  static constexpr ByteSet all() { return range(0, 255); }

  constexpr void insert(std::uint8_t byte) { words_[byte >> 6] |= std::uint64_t{1} << (byte & 63); }
  constexpr bool contains(std::uint8_t byte) const { return (words_[byte >> 6] >> (byte & 63) & 1) != 0; }
  constexpr bool empty() const { return *this == ByteSet(); }
  constexpr int size() const {
    int count = 0;
    for (const std::uint64_t word : words_) count += std::popcount(word);
    return count;
  }

  constexpr ByteSet operator~() const {
    return zip(*this, [](std::uint64_t a, std::uint64_t) { return ~a; });
  }
  constexpr ByteSet operator|(const ByteSet& other) const {
    return zip(other, [](std::uint64_t a, std::uint64_t b) { return a | b; });
  }
  constexpr ByteSet operator&(const ByteSet& other) const {
    return zip(other, [](std::uint64_t a, std::uint64_t b) { return a & b; });
  }
  constexpr auto operator<=>(const ByteSet&) const = default;

  /// Byte b is bit b % 64 of word b / 64.
  constexpr const std::array<std::uint64_t, 4>& words() const { return words_; }

 private:
  template <class Operation>
  constexpr ByteSet zip(const ByteSet& other, Operation operation) const {
    ByteSet result;
    for (std::size_t i = 0; i < words_.size(); ++i) result.words_[i] = operation(words_[i], other.words_[i]);
    return result;
  }

  std::array<std::uint64_t, 4> words_{};
};

}  // namespace heed::grammar

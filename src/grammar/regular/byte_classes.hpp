// Partitions of the bytes: bytes of one class are all the same to an expression, so its derivatives are computed once a class.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "grammar/regular/byte_set.hpp"

namespace heed::grammar {

struct ByteClasses {
  std::array<std::uint8_t, 256> of{};  // the class of each byte; classes are numbered by their first byte
  std::vector<std::uint8_t> first_of;  // a byte of each class: its first
  std::uint32_t id = 0;
};

/// Equal partitions are one object, which stays where it is.
class ByteClassTable {
 public:
  /// What each byte has in common with the others of its class.
  using Keys = std::array<std::uint16_t, 256>;

  ByteClassTable() { partition({}); }

  /// All bytes in one class.
  const ByteClasses* whole() const { return tables_.front().get(); }
  /// The classes are the bytes with equal keys.
  const ByteClasses* partition(const Keys& keys);
  /// The bytes of a set, and the others.
  const ByteClasses* split(const ByteSet& set);
  /// The coarsest partition that is finer than both.
  const ByteClasses* meet(const ByteClasses* a, const ByteClasses* b);

 private:
  std::vector<std::unique_ptr<const ByteClasses>> tables_;
  std::unordered_multimap<std::size_t, std::uint32_t> by_hash_;
  std::unordered_map<std::uint64_t, const ByteClasses*> meets_;
};

}  // namespace heed::grammar

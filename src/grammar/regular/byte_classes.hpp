// Partitions of the bytes into classes: all bytes of a class give the same derivative of an expression, which is computed once.
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
  std::array<std::uint8_t, 256> of{};  // the class of each byte; classes are in the order of their first bytes
  std::vector<std::uint8_t> first_of;  // the first byte of each class
  std::uint32_t id = 0;
};

/// Interns partitions: equal ones are one object with a stable address.
class ByteClassTable {
 public:
  /// The key of each byte.
  using Keys = std::array<std::uint16_t, 256>;

  ByteClassTable() { partition({}); }

  /// All bytes in one class.
  const ByteClasses* whole() const { return tables_.front().get(); }
  /// The partition into bytes with equal keys.
  const ByteClasses* partition(const Keys& keys);
  /// The partition into the bytes of a set and all others.
  const ByteClasses* split(const ByteSet& set);
  /// The coarsest common refinement.
  const ByteClasses* meet(const ByteClasses* a, const ByteClasses* b);

 private:
  std::vector<std::unique_ptr<const ByteClasses>> tables_;
  std::unordered_multimap<std::size_t, std::uint32_t> by_hash_;
  std::unordered_map<std::uint64_t, const ByteClasses*> meets_;
};

}  // namespace heed::grammar

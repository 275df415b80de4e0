// Interns values: equal values have equal indices.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

namespace heed::grammar {

/// `Hash` is a function object that hashes a Value.
template <class Value, class Hash>
class Interned {
 public:
  std::uint32_t index_of(Value value) {
    const std::size_t hash = Hash{}(value);
    const auto [first, last] = by_hash_.equal_range(hash);
    for (auto it = first; it != last; ++it)
      if (values_[it->second] == value) return it->second;
    const auto index = static_cast<std::uint32_t>(values_.size());
    values_.push_back(std::move(value));
    by_hash_.emplace(hash, index);
    return index;
  }
  const Value& operator[](std::uint32_t index) const { return values_[index]; }

 private:
  std::vector<Value> values_;
  std::unordered_multimap<std::size_t, std::uint32_t> by_hash_;
};

/// Like FNV-1a, but over numbers instead of bytes.
template <class Number>
constexpr std::size_t hash_with(std::size_t hash, Number value) {
  hash ^= static_cast<std::size_t>(value);
  hash *= 0x9E37'79B1U;
  return hash ^ hash >> 15;
}

}  // namespace heed::grammar

#include "grammar/regular/byte_classes.hpp"

#include <algorithm>
#include <utility>

namespace heed::grammar {

/// Of the partition whose classes are the bytes with equal keys, which are below 2^16.
template <class Key>
const ByteClasses* ByteClassTable::intern(Key key_of) {
  auto classes = std::make_unique<ByteClasses>();
  std::vector<unsigned> keys;
  std::size_t hash = 14695981039346656037U & SIZE_MAX;
  for (unsigned byte = 0; byte < 256; ++byte) {
    const unsigned key = key_of(static_cast<std::uint8_t>(byte));
    // A neighbour's class is the likeliest.
    std::size_t found = keys.size();
    if (byte != 0 && keys[classes->of[byte - 1]] == key) found = classes->of[byte - 1];
    else found = static_cast<std::size_t>(std::ranges::find(keys, key) - keys.begin());
    if (found == keys.size()) {
      keys.push_back(key);
      classes->first_of.push_back(static_cast<std::uint8_t>(byte));
    }
    classes->of[byte] = static_cast<std::uint8_t>(found);
    hash = (hash ^ found) * 1099511628211U;
  }
  const auto [first, last] = by_hash_.equal_range(hash);
  for (auto it = first; it != last; ++it)
    if (tables_[it->second]->of == classes->of) return tables_[it->second].get();
  classes->id = static_cast<std::uint32_t>(tables_.size());
  by_hash_.emplace(hash, classes->id);
  tables_.push_back(std::move(classes));
  return tables_.back().get();
}

ByteClassTable::ByteClassTable() {
  intern([](std::uint8_t) { return 0U; });
}

const ByteClasses* ByteClassTable::split(const ByteSet& set) {
  return intern([&](std::uint8_t byte) { return set.contains(byte) ? 1U : 0U; });
}

const ByteClasses* ByteClassTable::meet(const ByteClasses* a, const ByteClasses* b) {
  if (a == b || b == whole()) return a;
  if (a == whole()) return b;
  if (a->id > b->id) std::swap(a, b);
  const std::uint64_t key = std::uint64_t{a->id} << 32 | b->id;
  if (const auto found = meets_.find(key); found != meets_.end()) return found->second;
  const ByteClasses* met = intern([&](std::uint8_t byte) { return unsigned{a->of[byte]} << 8 | b->of[byte]; });
  meets_.emplace(key, met);
  return met;
}

}  // namespace heed::grammar

#include "grammar/regular/byte_classes.hpp"

#include <algorithm>
#include <utility>

#include "grammar/regular/interned.hpp"

namespace heed::grammar {

const ByteClasses* ByteClassTable::partition(const Keys& keys) {
  auto classes = std::make_unique<ByteClasses>();
  std::vector<std::uint16_t> key_of;  // of each class
  std::size_t hash = 0;
  for (std::size_t byte = 0; byte < keys.size(); ++byte) {
    // Neighbors usually have the same class.
    auto found = byte != 0 && keys[byte - 1] == keys[byte]
                     ? std::size_t{classes->of[byte - 1]}
                     : static_cast<std::size_t>(std::ranges::find(key_of, keys[byte]) - key_of.begin());
    if (found == key_of.size()) {
      key_of.push_back(keys[byte]);
      classes->first_of.push_back(static_cast<std::uint8_t>(byte));
    }
    classes->of[byte] = static_cast<std::uint8_t>(found);
    hash = hash_with(hash, found);
  }
  const auto [first, last] = by_hash_.equal_range(hash);
  for (auto it = first; it != last; ++it)
    if (tables_[it->second]->of == classes->of) return tables_[it->second].get();
  classes->id = static_cast<std::uint32_t>(tables_.size());
  by_hash_.emplace(hash, classes->id);
  tables_.push_back(std::move(classes));
  return tables_.back().get();
}

const ByteClasses* ByteClassTable::split(const ByteSet& set) {
  Keys keys;
  for (std::size_t byte = 0; byte < keys.size(); ++byte) keys[byte] = set.contains(static_cast<std::uint8_t>(byte)) ? 1 : 0;
  return partition(keys);
}

const ByteClasses* ByteClassTable::meet(const ByteClasses* a, const ByteClasses* b) {
  if (a == b || b == whole()) return a;
  if (a == whole()) return b;
  if (a->id > b->id) std::swap(a, b);
  const std::uint64_t pair = std::uint64_t{a->id} << 32 | b->id;
  if (const auto found = meets_.find(pair); found != meets_.end()) return found->second;
  Keys keys;
  for (std::size_t byte = 0; byte < keys.size(); ++byte) keys[byte] = static_cast<std::uint16_t>(a->of[byte] << 8 | b->of[byte]);
  const ByteClasses* met = partition(keys);
  meets_.emplace(pair, met);
  return met;
}

}  // namespace heed::grammar

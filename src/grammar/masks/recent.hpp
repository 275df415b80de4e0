// A cache of bounded size that keeps the most recently used entries.
#pragma once

#include <cstddef>
#include <functional>
#include <unordered_map>
#include <utility>

namespace heed::grammar {

/// Has two generations: when the young one has `capacity` entries it replaces the old one, whose unused entries are dropped.
template <class Key, class Value, class Hash = std::hash<Key>>
class Recent {
 public:
  explicit Recent(std::size_t capacity) : capacity_(capacity) {}

  /// nullptr if absent. Valid until the next `add` or `find`.
  Value* find(const Key& key) {
    if (const auto found = young_.find(key); found != young_.end()) return &found->second;
    const auto found = old_.find(key);
    if (found == old_.end()) return nullptr;
    Value value = std::move(found->second);
    old_.erase(found);
    return &add(key, std::move(value));
  }

  Value& add(const Key& key, Value value) {
    if (young_.size() >= capacity_) {
      old_ = std::move(young_);
      young_.clear();
    }
    return young_.insert_or_assign(key, std::move(value)).first->second;
  }

 private:
  std::size_t capacity_;
  std::unordered_map<Key, Value, Hash> young_, old_;
};

}  // namespace heed::grammar

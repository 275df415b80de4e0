// A cache of bounded size that keeps what was used last.
#pragma once

#include <cstddef>
#include <functional>
#include <unordered_map>
#include <utility>

namespace heed::grammar {

/// Two generations: when one has `capacity` entries it becomes the old one, and what of the old one was not used meanwhile is dropped.
template <class Key, class Value, class Hash = std::hash<Key>>
class Recent {
 public:
  explicit Recent(std::size_t capacity) : capacity_(capacity) {}

  /// Null where it is not there. Good until the next `add` or `find`.
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

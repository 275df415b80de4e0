// Interns keys of objects and sets of keys.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "grammar/interner.hpp"

namespace heed::grammar {

enum class Key : std::uint32_t {};
enum class KeySet : std::uint32_t { kNone = 0 };  // the empty set

class Keys {
 public:
  explicit Keys(Budget& budget) : sets_(budget) { sets_.intern(std::span<const std::uint32_t>()); }

  /// The key with these characters.
  Key key(std::string_view text) {
    const auto [known, added] = known_.try_emplace(std::string(text), static_cast<std::uint32_t>(texts_.size()));
    if (added) texts_.push_back(&known->first);
    return Key{known->second};
  }
  const std::string& text(Key key) const { return *texts_[static_cast<std::uint32_t>(key)]; }

  KeySet with(KeySet set, Key key);
  bool contains(KeySet set, Key key) const;
  std::vector<Key> members(KeySet set) const;
  std::size_t count(KeySet set) const { return sets_[static_cast<std::uint32_t>(set)].size(); }

 private:
  std::unordered_map<std::string, std::uint32_t> known_;
  std::vector<const std::string*> texts_;
  Interner sets_;  // words of a set: its keys, ascending
};

}  // namespace heed::grammar

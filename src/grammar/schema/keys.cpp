#include "grammar/schema/keys.hpp"

#include <algorithm>

namespace heed::grammar {

KeySet Keys::with(KeySet set, Key key) {
  const auto known = sets_[static_cast<std::uint32_t>(set)];
  std::vector<std::uint32_t> words(known.begin(), known.end());
  const auto word = static_cast<std::uint32_t>(key);
  const auto at = std::ranges::lower_bound(words, word);
  if (at == words.end() || *at != word) words.insert(at, word);
  return KeySet{sets_.intern(words).id};
}

bool Keys::contains(KeySet set, Key key) const {
  return std::ranges::binary_search(sets_[static_cast<std::uint32_t>(set)], static_cast<std::uint32_t>(key));
}

std::vector<Key> Keys::members(KeySet set) const {
  std::vector<Key> keys;
  for (const std::uint32_t word : sets_[static_cast<std::uint32_t>(set)]) keys.push_back(Key{word});
  return keys;
}

}  // namespace heed::grammar

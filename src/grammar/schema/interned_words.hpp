// Sequences of words that are stored once: equal sequences have equal ids, so what is made of them is compared and kept by number.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

#include "grammar/budget.hpp"

namespace heed::grammar {

class InternedWords {
 public:
  explicit InternedWords(Budget& budget) : budget_(&budget), slots_(64, kFree) {}

  /// The id of a sequence: ids count up from 0, so a new one is `size()` of before.
  std::uint32_t intern(std::span<const std::uint32_t> words) {
    std::size_t slot = hash(words) & (slots_.size() - 1);
    for (; slots_[slot] != kFree; slot = (slot + 1) & (slots_.size() - 1))
      if (std::ranges::equal(get(slots_[slot]), words)) return slots_[slot];
    budget_->spend(1 + words.size() / 16);
    const std::uint32_t id = size();
    slots_[slot] = id;
    words_.insert(words_.end(), words.begin(), words.end());
    begins_.push_back(words_.size());
    if (size() * 2 > slots_.size()) grow();
    return id;
  }
  std::uint32_t intern(std::initializer_list<std::uint32_t> words) {
    return intern(std::span<const std::uint32_t>(words.begin(), words.size()));
  }

  /// Valid until the next sequence is stored.
  std::span<const std::uint32_t> get(std::uint32_t id) const {
    return std::span(words_).subspan(begins_[id], begins_[id + 1] - begins_[id]);
  }
  std::uint32_t size() const noexcept { return static_cast<std::uint32_t>(begins_.size() - 1); }

 private:
  static constexpr std::uint32_t kFree = 0xFFFFFFFF;

  static std::size_t hash(std::span<const std::uint32_t> words) {
    std::uint64_t h = words.size();
    for (const std::uint32_t word : words) {
      h = (h ^ word) * 0x9E3779B97F4A7C15;
      h ^= h >> 29;
    }
    return static_cast<std::size_t>(h ^ (h >> 32));
  }

  void grow() {
    slots_.assign(slots_.size() * 2, kFree);
    for (std::uint32_t id = 0; id < size(); ++id) {
      std::size_t slot = hash(get(id)) & (slots_.size() - 1);
      while (slots_[slot] != kFree) slot = (slot + 1) & (slots_.size() - 1);
      slots_[slot] = id;
    }
  }

  Budget* budget_;
  std::vector<std::uint32_t> words_;
  std::vector<std::size_t> begins_{0};
  std::vector<std::uint32_t> slots_;  // open addressing, at most half full
};

}  // namespace heed::grammar

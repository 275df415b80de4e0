#include "grammar/interner.hpp"

#include <algorithm>

namespace heed::grammar {
namespace {

// Multiplies after each word; the shift mixes high bits into the low ones, which choose the slot.
std::uint32_t hash_words(std::span<const std::uint32_t> words) noexcept {
  std::uint64_t hash = 0x9e3779b97f4a7c15 ^ words.size();
  for (const std::uint32_t word : words) {
    hash = (hash ^ word) * 0xff51afd7ed558ccd;
    hash ^= hash >> 32;
  }
  return static_cast<std::uint32_t>(hash);
}

}  // namespace

Interner::Interned Interner::intern(std::span<const std::uint32_t> words) {
  const std::uint32_t hash = hash_words(words);
  std::size_t slot = hash & (slots_.size() - 1);
  for (; slots_[slot] != 0; slot = (slot + 1) & (slots_.size() - 1)) {
    const std::uint32_t id = slots_[slot] - 1;
    if (hashes_[id] == hash && std::ranges::equal((*this)[id], words)) return {id, false};
  }
  if (budget_) budget_->spend(1 + words.size() / 16);
  const auto id = static_cast<std::uint32_t>(size());
  words_.insert(words_.end(), words.begin(), words.end());
  hashes_.push_back(hash);
  begins_.push_back(words_.size());
  slots_[slot] = id + 1;
  if (2 * size() >= slots_.size()) grow();
  return {id, true};
}

void Interner::clear() noexcept {
  if (size() < slots_.size() / 16) {
    for (std::uint32_t id = 0; id < size(); ++id) {
      std::size_t slot = hashes_[id] & (slots_.size() - 1);
      while (slots_[slot] != id + 1) slot = (slot + 1) & (slots_.size() - 1);
      slots_[slot] = 0;
    }
  } else {
    std::ranges::fill(slots_, 0);
  }
  words_.clear();
  begins_.resize(1);
  hashes_.clear();
}

void Interner::grow() {
  slots_.assign(4 * slots_.size(), 0);
  for (std::uint32_t id = 0; id < size(); ++id) {
    std::size_t slot = hashes_[id] & (slots_.size() - 1);
    while (slots_[slot] != 0) slot = (slot + 1) & (slots_.size() - 1);
    slots_[slot] = id + 1;
  }
}

}  // namespace heed::grammar

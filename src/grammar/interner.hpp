// Interns sequences of 32-bit words: equal sequences have equal ids, so that states, stacks and expressions can be compared by id.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

#include "grammar/budget.hpp"

namespace heed::grammar {

/// Ids count from 0 in the order of insertion.
class Interner {
 public:
  Interner() = default;
  /// Charges new sequences to `budget`, which must outlive this; a refused sequence is not kept.
  explicit Interner(Budget& budget) : budget_(&budget) {}

  struct Interned {
    std::uint32_t id;
    bool fresh;  // the sequence was not stored before
  };
  Interned intern(std::span<const std::uint32_t> words);
  Interned intern(std::initializer_list<std::uint32_t> words) { return intern(std::span(words.begin(), words.size())); }

  /// The sequence with this id. Valid until the next call of `intern`.
  std::span<const std::uint32_t> operator[](std::uint32_t id) const noexcept {
    return std::span(words_).subspan(begins_[id], begins_[id + 1] - begins_[id]);
  }
  void clear() noexcept;
  std::size_t size() const noexcept { return begins_.size() - 1; }

 private:
  void grow();

  Budget* budget_ = nullptr;
  std::vector<std::uint32_t> words_;           // all sequences, concatenated
  std::vector<std::size_t> begins_ = {0};      // [size + 1]
  std::vector<std::uint32_t> hashes_;          // [size]
  std::vector<std::uint32_t> slots_ = {0, 0};  // open addressing: id + 1, or 0; the size is a power of two, at least half empty
};

}  // namespace heed::grammar

// Sequences of words, each kept once: equal ones have equal ids. What states, stacks and expressions are told apart by.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

#include "grammar/budget.hpp"

namespace heed::grammar {

/// Ids count from 0 in the order in which sequences came.
class Interner {
 public:
  Interner() = default;
  /// New sequences are charged to `budget`, which must outlive it; a refused one is not kept.
  explicit Interner(Budget& budget) : budget_(&budget) {}

  struct Interned {
    std::uint32_t id;
    bool fresh;  // it was not there before
  };
  Interned intern(std::span<const std::uint32_t> words);
  Interned intern(std::initializer_list<std::uint32_t> words) { return intern(std::span(words.begin(), words.size())); }

  /// Valid until the next call of `intern`.
  std::span<const std::uint32_t> operator[](std::uint32_t id) const noexcept {
    return std::span(words_).subspan(begins_[id], begins_[id + 1] - begins_[id]);
  }
  void clear() noexcept;
  std::size_t size() const noexcept { return begins_.size() - 1; }

 private:
  void grow();

  Budget* budget_ = nullptr;
  std::vector<std::uint32_t> words_;           // one sequence after the other
  std::vector<std::size_t> begins_ = {0};      // [size + 1]
  std::vector<std::uint32_t> hashes_;          // [size]
  std::vector<std::uint32_t> slots_ = {0, 0};  // id + 1, or 0; a power of two of them, at least half empty
};

}  // namespace heed::grammar

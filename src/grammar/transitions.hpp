// Lazily filled transition table: (state, byte) -> state.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "grammar/language.hpp"

namespace heed::grammar {

/// A hash table rather than an array, because few bytes are tried per state.
class Transitions {
 public:
  std::optional<State> find(State from, std::uint8_t byte) const noexcept {
    for (std::size_t slot = first_slot(from, byte);; slot = (slot + 1) & (slots_.size() - 1)) {
      const Slot& at = slots_[slot];
      if (at.from == State::kDead) return std::nullopt;
      if (at.from == from && at.byte == byte) return at.to;
    }
  }

  /// The transition must not be present yet.
  void add(State from, std::uint8_t byte, State to) {
    if (2 * (count_ + 1) > slots_.size()) grow();
    ++count_;
    put({from, to, byte});
  }

 private:
  struct Slot {
    State from = State::kDead;  // kDead: the slot is empty
    State to = State::kDead;
    std::uint32_t byte = 0;
  };

  std::size_t first_slot(State from, std::uint32_t byte) const noexcept {
    const std::uint64_t mixed = (std::uint64_t{static_cast<std::uint32_t>(from)} << 8 | byte) * 0x9e3779b97f4a7c15;
    return static_cast<std::size_t>(mixed >> 32) & (slots_.size() - 1);
  }
  void put(const Slot& added) {
    std::size_t slot = first_slot(added.from, added.byte);
    while (slots_[slot].from != State::kDead) slot = (slot + 1) & (slots_.size() - 1);
    slots_[slot] = added;
  }
  void grow() {
    std::vector<Slot> old(2 * slots_.size());
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.from != State::kDead) put(slot);
    }
  }

  std::vector<Slot> slots_ = std::vector<Slot>(16);  // the size is a power of two, at least half empty
  std::size_t count_ = 0;
};

}  // namespace heed::grammar

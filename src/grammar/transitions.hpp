// Which state comes after a state and a byte, as far as somebody asked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "grammar/language.hpp"

namespace heed::grammar {

/// A hash table: of a state, few bytes are tried. It is in parts that grow one by one, so that no mask waits for all of it to be moved.
class Transitions {
 public:
  std::optional<State> find(State from, std::uint8_t byte) const noexcept {
    const std::uint64_t hash = hash_of(from, byte);
    const Part& part = parts_[part_of(hash)];
    for (std::size_t slot = part.first_slot(hash);; slot = part.after(slot)) {
      const Slot& at = part.slots[slot];
      if (at.from == State::kDead) return std::nullopt;
      if (at.from == from && at.byte == byte) return at.to;
    }
  }

  /// One that is not there yet.
  void add(State from, std::uint8_t byte, State to) {
    Part& part = parts_[part_of(hash_of(from, byte))];
    if (2 * (part.count + 1) > part.slots.size()) part.grow();
    ++part.count;
    part.put({from, to, byte});
  }

 private:
  static constexpr unsigned kPartShift = 58;

  struct Slot {
    State from = State::kDead;  // where the slot is empty
    State to = State::kDead;
    std::uint32_t byte = 0;
  };

  static std::uint64_t hash_of(State from, std::uint32_t byte) noexcept {
    return (std::uint64_t{static_cast<std::uint32_t>(from)} << 8 | byte) * 0x9e3779b97f4a7c15;
  }
  static std::size_t part_of(std::uint64_t hash) noexcept { return static_cast<std::size_t>(hash >> kPartShift); }

  struct Part {
    std::vector<Slot> slots = std::vector<Slot>(4);  // a power of two of them, at least half empty
    std::size_t count = 0;

    std::size_t first_slot(std::uint64_t hash) const noexcept { return static_cast<std::size_t>(hash >> 32) & (slots.size() - 1); }
    std::size_t after(std::size_t slot) const noexcept { return (slot + 1) & (slots.size() - 1); }
    void put(const Slot& added) {
      std::size_t slot = first_slot(hash_of(added.from, added.byte));
      while (slots[slot].from != State::kDead) slot = after(slot);
      slots[slot] = added;
    }
    void grow() {
      std::vector<Slot> old(2 * slots.size());
      old.swap(slots);
      for (const Slot& slot : old) {
        if (slot.from != State::kDead) put(slot);
      }
    }
  };

  std::vector<Part> parts_ = std::vector<Part>(std::size_t{1} << (64 - kPartShift));  // by the first bits of the hash
};

}  // namespace heed::grammar

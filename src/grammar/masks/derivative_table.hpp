// A dense transition table over the derivatives of an expression, for walks of a vocabulary, which step hundreds of thousands of
// times.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "grammar/masks/byte_kinds.hpp"
#include "grammar/regular/pool.hpp"

namespace heed::grammar {

/// A step that has been taken before is one load. States are numbered in the order in which they are reached.
class DerivativeTable {
 public:
  static constexpr std::uint32_t kDead = 0, kStart = 1;

  DerivativeTable(RegularPool& pool, Regular start) : pool_(pool) {
    number(Regular::kNothing);
    number(start);
  }

  std::uint32_t step(std::uint32_t from, std::uint32_t byte) {
    const std::uint32_t known = cells_[from * 256 + byte];
    return known != kUnknown ? known : derive(from, byte);
  }
  bool accepts_empty(std::uint32_t state) const { return accepts_empty_[state] != 0; }
  /// Whether every byte of these kinds, or every character for kinds beyond ASCII, leads back to the state.
  bool stays(std::uint32_t state, unsigned kinds) {
    if ((kinds & (kNoCharacters | kBeginsInside)) != 0) return false;
    Loops& loops = loops_[state];
    if ((kinds & loops.tried & ~unsigned{loops.found}) != 0) return false;
    for (unsigned kind = 1; kind < kNoCharacters; kind *= 2) {
      if ((kinds & kind & ~unsigned{loops_[state].tried}) == 0) continue;
      const bool found = loops_on(state, kind);
      loops_[state].tried |= static_cast<ByteKinds>(kind);
      if (!found) return false;
      loops_[state].found |= static_cast<ByteKinds>(kind);
    }
    return true;
  }
  std::size_t size() const noexcept { return states_.size(); }

 private:
  static constexpr std::uint32_t kUnknown = 0xFFFF'FFFF;

  std::uint32_t derive(std::uint32_t from, std::uint32_t byte) {
    const std::uint32_t to = number(pool_.derive(states_[from], static_cast<std::uint8_t>(byte)));
    return cells_[from * 256 + byte] = to;
  }
  std::uint32_t number(Regular expression) {
    const auto [known, added] = numbers_.try_emplace(expression, static_cast<std::uint32_t>(states_.size()));
    if (added) {
      states_.push_back(expression);
      loops_.emplace_back();
      accepts_empty_.push_back(pool_.accepts_empty(expression) ? 1 : 0);
      cells_.resize(states_.size() * 256, kUnknown);
    }
    return known->second;
  }

  struct Loops {
    ByteKinds tried = 0, found = 0;
  };

  /// `stays` for one kind. False also if the expression accepts a text that ends inside a character.
  bool loops_on(std::uint32_t state, unsigned kind) {
    struct Place {
      std::uint32_t state;
      std::uint8_t character;

      bool operator==(const Place&) const = default;
    };
    if (kind < kSpacesBeyond) {
      for (std::uint32_t byte = 0; byte < 0x80; ++byte)
        if (kKindOf[byte] == kind && step(state, byte) != state) return false;
      return true;
    }
    constexpr std::size_t kMostPlaces = 16;
    std::vector<Place> places = {{state, 0}};
    for (std::size_t i = 0; i < places.size(); ++i) {
      for (std::uint32_t byte = 0x80; byte < 0x100; ++byte) {
        if (i == 0 && kKindOf[byte] != kind) continue;
        const std::uint8_t character = read_character_byte(places[i].character, static_cast<std::uint8_t>(byte));
        if (character == kNoCharacter) continue;
        const Place next{step(places[i].state, byte), character};
        if (character == 0 ? next.state != state : next.state == kDead || accepts_empty(next.state)) return false;
        if (std::ranges::find(places, next) != places.end()) continue;
        if (places.size() == kMostPlaces) return false;
        places.push_back(next);
      }
    }
    return true;
  }

  RegularPool& pool_;
  std::vector<Loops> loops_;
  std::vector<Regular> states_;
  std::vector<std::uint8_t> accepts_empty_;
  std::vector<std::uint32_t> cells_;  // [states][256]
  std::unordered_map<Regular, std::uint32_t> numbers_;
};

}  // namespace heed::grammar

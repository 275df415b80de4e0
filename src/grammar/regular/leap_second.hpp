// Times of day with second 60, which RFC 3339 allows only at 23:59:60 UTC, so that hour and minute determine the offset.
#pragma once

#include <cstdint>
#include <string_view>

#include "grammar/regular/automaton.hpp"

namespace heed::grammar {

/// "hh:mm:60", an optional fraction, then "Z", "z" or the offset. Each time of day has two valid offsets, one of either sign.
class LeapSecond final : public Automaton {
 public:
  std::string_view key() const override { return "leap second"; }
  std::uint8_t class_of(std::uint8_t byte) const override;
  std::uint32_t start() override { return 0; }
  std::uint32_t step(std::uint32_t state, std::uint8_t byte) override;
  bool accepts(std::uint32_t state) override;
};

}  // namespace heed::grammar

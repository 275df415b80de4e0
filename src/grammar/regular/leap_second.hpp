// Times of day with second 60, which RFC 3339 has where it is 23:59:60 in UTC: the offset follows from hour and minute.
#pragma once

#include <cstdint>
#include <string_view>

#include "grammar/regular/automaton.hpp"

namespace heed::grammar {

/// "hh:mm:60", perhaps a fraction, then "Z" or "z" or the offset: the end of RFC 3339's date-time. Every time of day has two offsets.
class LeapSecond final : public Automaton {
 public:
  std::string_view key() const override { return "leap second"; }
  std::uint8_t class_of(std::uint8_t byte) const override;
  std::uint32_t start() override { return 0; }
  std::uint32_t step(std::uint32_t state, std::uint8_t byte) override;
  bool accepts(std::uint32_t state) override;
};

}  // namespace heed::grammar

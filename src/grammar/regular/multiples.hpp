// The spellings of the multiples of a number within limits: an automaton over remainders.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grammar/budget.hpp"
#include "grammar/regular/automaton.hpp"
#include "grammar/regular/naturals.hpp"

namespace heed::grammar {

/// Multiples of `unit` between limits. Natural numbers are in units of 10^-scale.
struct Multiples {
  Natural unit;                 // the divisor; above zero
  std::size_t scale = 0;        // digits after the point
  bool integer = false;         // spelled without a point
  Natural least;                // the lower limit, a multiple
  std::optional<Natural> most;  // the upper limit, a multiple not below `least`
};

class MultiplesAutomaton final : public Automaton {
 public:
  /// Charges all work, including that of later calls, to `budget`.
  MultiplesAutomaton(Multiples multiples, Budget& budget);

  std::string_view key() const override { return key_; }
  std::uint8_t class_of(std::uint8_t byte) const override;
  std::uint32_t start() override { return 0; }
  std::uint32_t step(std::uint32_t state, std::uint8_t byte) override;
  bool accepts(std::uint32_t state) override { return accepted_[state]; }

 private:
  enum class Phase : std::uint8_t {
    begin,
    zero,      // a 0 before the point
    integer,   // digits before the point, not beginning with 0
    point,     // the point
    fraction,  // digits after the point
  };
  /// How the digits so far compare with equally many leading digits of a limit.
  enum class Side : std::uint8_t { below, equal, above };
  /// A prefix of a spelling, normalized: prefixes with the same continuations are equal.
  struct Prefix {
    Phase phase = Phase::begin;
    std::uint32_t digits =
        0;  // before the point: how many digits follow the leading zeros, capped at `longest_`; after it: how many may still come
    Side least = Side::equal, most = Side::equal;
    Natural remainder;

    auto operator<=>(const Prefix&) const = default;
  };
  /// Whether the digits so far equal the leading digits of a limit, so that the limit restricts the further digits.
  struct Tight {
    bool least, most;
  };

  std::optional<Prefix> next(const Prefix& prefix, std::uint8_t byte) const;
  std::optional<Prefix> with_digit(Prefix prefix, std::uint32_t digit) const;
  std::optional<Prefix> after_point(const Prefix& prefix) const;
  /// Which limits are tight if `count` digits follow; nullopt if all such numbers are outside the limits.
  std::optional<Tight> tight(const Prefix& prefix, std::size_t count) const;
  bool can_end(const Prefix& prefix) const;
  bool can_go_on(const Prefix& prefix) const;
  bool has_multiple(const Natural& remainder, std::size_t count, Tight tight) const;
  std::uint32_t number_of(const Prefix& prefix);

  Multiples multiples_;
  Budget& budget_;
  std::string key_;
  std::string least_, most_;   // digits of the limits
  std::uint32_t longest_ = 0;  // digits before the point that matter
  std::map<Prefix, std::uint32_t> numbers_;
  std::vector<std::map<Prefix, std::uint32_t>::const_iterator> prefixes_;  // by state
  std::vector<bool> accepted_;
};

}  // namespace heed::grammar

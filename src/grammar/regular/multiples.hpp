// The multiples of a number within limits, as they are spelled: an automaton of remainders.
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

/// Numbers without sign are counted in units of 10^-scale.
struct Multiples {
  Natural unit;                 // what they are multiples of; above zero
  std::size_t scale = 0;        // digits behind the point
  bool integer = false;         // without a point
  Natural least;                // a multiple
  std::optional<Natural> most;  // a multiple, at least `least`
};

class MultiplesAutomaton final : public Automaton {
 public:
  /// Charges the budget for what it computes, also later.
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
    integer,   // digits before the point, the first of which is not 0
    point,     // the point, and no digit behind it
    fraction,  // digits behind it
  };
  /// The digits so far against those of a limit.
  enum class Side : std::uint8_t { below, equal, above };
  /// Prefixes that go on in the same way are the same.
  struct Prefix {
    Phase phase = Phase::begin;
    std::uint32_t digits =
        0;  // before the point, from the first that is not 0: how many, at most `longest_`; else how many may follow
    Side least = Side::equal, most = Side::equal;
    Natural remainder;

    auto operator<=>(const Prefix&) const = default;
  };
  /// The ends of what may follow are those of a limit where it is tight.
  struct Tight {
    bool least, most;
  };

  std::optional<Prefix> next(const Prefix& prefix, std::uint8_t byte) const;
  std::optional<Prefix> with_digit(Prefix prefix, std::uint32_t digit) const;
  std::optional<Prefix> behind_point(const Prefix& prefix) const;
  /// How the numbers of which `count` digits are still to come lie to the limits; nothing if outside.
  std::optional<Tight> tight(const Prefix& prefix, std::size_t count) const;
  bool can_end(const Prefix& prefix) const;
  bool can_go_on(const Prefix& prefix) const;
  bool has_multiple(const Natural& remainder, std::size_t count, Tight tight) const;
  std::uint32_t number_of(const Prefix& prefix);

  Multiples multiples_;
  Budget& budget_;
  std::string key_;
  std::string least_, most_;   // their digits
  std::uint32_t longest_ = 0;  // digits before the point that matter
  std::map<Prefix, std::uint32_t> numbers_;
  std::vector<std::map<Prefix, std::uint32_t>::const_iterator> prefixes_;  // of each state
  std::vector<bool> accepted_;
};

}  // namespace heed::grammar

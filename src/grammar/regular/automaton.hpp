// A regular language given by a computed transition function: for example the multiples of a number, which as an expression would
// need a node per remainder.
#pragma once

#include <cstdint>
#include <string_view>

namespace heed::grammar {

/// An automaton numbers its states. The RegularPool that owns the automaton has an expression for each state.
class Automaton {
 public:
  static constexpr std::uint32_t kDead = 0xFFFF'FFFF;

  virtual ~Automaton() = default;
  /// Automata with equal keys are equal.
  virtual std::string_view key() const = 0;
  /// Bytes of one class have the same transitions.
  virtual std::uint8_t class_of(std::uint8_t byte) const = 0;
  virtual std::uint32_t start() = 0;
  /// The state after one more byte: kDead if and only if no text of the language continues this way.
  virtual std::uint32_t step(std::uint32_t state, std::uint8_t byte) = 0;
  virtual bool accepts(std::uint32_t state) = 0;
};

}  // namespace heed::grammar

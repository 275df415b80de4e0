// A regular language whose derivatives are reckoned instead of derived: numbers of a remainder, say, which as an expression would
// have a node for each remainder.
#pragma once

#include <cstdint>
#include <string_view>

namespace heed::grammar {

/// States are numbered as they are reached. A pool keeps it, and makes an expression of each state.
class Automaton {
 public:
  static constexpr std::uint32_t kDead = 0xFFFF'FFFF;

  virtual ~Automaton() = default;
  /// Equal keys, equal automata.
  virtual std::string_view key() const = 0;
  /// Bytes of one class lead every state to the same one.
  virtual std::uint8_t class_of(std::uint8_t byte) const = 0;
  virtual std::uint32_t start() = 0;
  /// kDead exactly where no text of the language goes on so.
  virtual std::uint32_t step(std::uint32_t state, std::uint8_t byte) = 0;
  virtual bool accepts(std::uint32_t state) = 0;
};

}  // namespace heed::grammar

// A set of texts as an automaton over bytes, explored lazily. Each notation (JSON Schema, regular expression, GBNF grammar) is
// translated to one; masks are computed from it.
#pragma once

#include <cstdint>
#include <span>

#include "grammar/budget.hpp"
#include "grammar/regular/byte_set.hpp"

namespace heed::grammar {

enum class Regular : std::uint32_t;
class RegularPool;

/// A state of one Language: the continuations of a text. Equal configurations have equal states, so masks are cached by state, and
/// a rollback only restores a number.
enum class State : std::uint32_t {
  kDead = 0,
  kUndecided = 0xFFFF'FFFF,  // only after a step from a summary: the state depends on the history that the summary omits
};

/// A regular part of a text, such as a JSON string: the rest of its expression, and what follows it.
struct Lexeme {
  Regular regular;  // the rest of the lexeme
  State after;      // after its end; kDead if that depends on its text: tokens that leave the lexeme then need `step`
  ByteSet follow = ByteSet::all();            // a superset of the bytes that may come after its end
  std::uint32_t certain_bytes = 0xFFFF'FFFF;  // `after` is exact for this many bytes; tokens that reach further need `step`
};

/// Functions throw Refusal (too-large) when the budget is spent; the language stays usable.
class Language {
 public:
  virtual ~Language() = default;

  /// The state of the empty text. Never kDead: making a language without texts throws.
  virtual State start() = 0;
  /// The state after one more byte: kDead if and only if no text of the language continues this way. `state` must not be kDead.
  virtual State step(State state, std::uint8_t byte) = 0;
  /// Whether the text read so far is in the language.
  virtual bool accepts(State state) = 0;
  /// The lexemes L of a state: its continuations, except the empty one, are the union of regular(L) . texts(after(L)). Masks decide
  /// most tokens once per lexeme, for all states that contain it. Empty if unknown: masks then use only `step`. Valid until the
  /// next call.
  virtual std::span<const Lexeme> lexemes(State state) = 0;
  /// A coarser state without history; states with equal summaries share a mask. The summary steps as `state` does, but to
  /// kUndecided where the step depends on the history. `state` itself if it has no history.
  virtual State summary(State state) { return state; }
  /// The pool of the lexemes' expressions.
  virtual RegularPool& pool() = 0;
  /// Charged for all work. Callers refill it before each of their own operations.
  virtual Budget& budget() = 0;
};

}  // namespace heed::grammar

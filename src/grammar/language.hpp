// A set of texts as the masks see it: bytes in, states out. Every front end (a JSON Schema, a regular expression, a GBNF grammar)
// becomes one.
#pragma once

#include <cstdint>
#include <span>

#include "grammar/budget.hpp"
#include "grammar/regular/byte_set.hpp"

namespace heed::grammar {

enum class Regular : std::uint32_t;
class RegularPool;

/// What a text may still become. Of one Language: equal configurations have equal states, so masks can be kept by state, and taking
/// bytes back is keeping a number.
enum class State : std::uint32_t {
  kDead = 0,
  kUndecided = 0xFFFF'FFFF,  // behind a gist only
};

struct Lexeme {
  Regular regular;  // what is left of it
  State after;      // once it has ended; kDead: that depends on its text, so for tokens that may leave it, masks ask `step`
  ByteSet follow = ByteSet::all();      // the bytes that may come then, or more
  std::uint32_t certain = 0xFFFF'FFFF;  // bytes behind it for which `after` holds: for tokens that go further, masks ask `step`
};

/// A language of byte strings that is explored as it is asked for. Its functions throw Refusal (too-large) where the budget ends; it
/// stays usable.
class Language {
 public:
  virtual ~Language() = default;

  /// The state of the empty text: never kDead, as a language without any text is refused when it is made.
  virtual State start() = 0;
  /// The state after one more byte: kDead if and only if no accepted text goes on so. `state` is not kDead.
  virtual State step(State state, std::uint8_t byte) = 0;
  /// Whether the text read so far is in the language.
  virtual bool accepts(State state) = 0;
  /// The state as lexemes, so that masks can decide most tokens once for all states that have a lexeme in common: its texts, but
  /// for the empty one, are exactly those of some lexeme's `regular`, each followed by a text of its `after`. None where a state is not known to be made of
  /// lexemes: masks then ask `step` alone. Good until the language's next call.
  virtual std::span<const Lexeme> lexemes(State state) = 0;
  /// The state without what it remembers of its text: many states have one gist, so masks are made of that. It steps as they do, but for
  /// steps that need what it leaves out: these are kUndecided. The state itself where nothing can be left out.
  virtual State gist(State state) { return state; }
  /// What lexemes are of.
  virtual RegularPool& pool() = 0;
  /// What making and exploring the language is charged to. Whoever explores it refills it before each of his own calls.
  virtual Budget& budget() = 0;
};

}  // namespace heed::grammar

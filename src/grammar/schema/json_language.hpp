// The language of the JSON texts of a term: a machine that reads JSON, with the alternatives of the schema that are still alive at
// each level of nesting. All of them can be finished, so no prefix is a dead end.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "grammar/language.hpp"
#include "grammar/interner.hpp"
#include "grammar/schema/normal_forms.hpp"
#include "grammar/schema/options.hpp"
#include "grammar/transitions.hpp"

namespace heed::grammar {

class JsonLanguage final : public Language {
 public:
  JsonLanguage(NormalForms& forms, Term root, Whitespace whitespace);

  State start() override { return start_; }
  State step(State state, std::uint8_t byte) override;
  bool accepts(State state) override;
  std::span<const Lexeme> lexemes(State state) override;
  State gist(State state) override;
  RegularPool& pool() override { return forms_.pool(); }
  Budget& budget() override { return forms_.budget(); }

 private:
  // Where in a text a state is.
  enum class Phase : std::uint8_t {
    value,          // before a value
    scalar,         // in one
    first_key,      // behind "{"
    next_key,       // behind a comma
    key,            // in a key
    colon,          // behind a key
    member_end,     // behind a member
    first_element,  // behind "["
    element_end,    // behind an element
    done,
  };
  enum class Container : std::uint8_t { text, object, array };

  static constexpr std::uint32_t kUntraced = 0xFFFFFFFF, kForgotten = 0xFFFFFFFE;  // of traces; the others are texts

  // The container that a value is in: what its alternatives want, and where each is behind the value. Level 0 is the text.
  enum class Level : std::uint32_t { kText = 0 };
  struct Entry {
    std::uint32_t want;      // index in wants
    std::uint32_t progress;  // behind the value
    std::uint32_t tag;       // what the container's own container wants of this alternative
  };
  struct LevelView {
    Container container;
    Level outer;
    KeySet seen;
    std::uint32_t depth;
    std::vector<Term> wants;
    std::vector<Entry> entries;
    // Where elements must differ, `seen` are those so far, as canonical texts, and the next one is read back from the trace.
    bool traced = false;
    bool among_many = false;          // `wants` are as if there were none before it: it is looked up among them where it ends
    Level exactly = Level::kText;     // then, the level whose wants exclude them
    std::uint32_t trace = kUntraced;  // where the element begins
  };
  // An alternative of the innermost container, or of a scalar: a progress or a Regular, and what it is wanted for.
  struct Alternative {
    std::uint32_t progress;
    std::uint32_t tag;

    auto operator<=>(const Alternative&) const = default;
  };
  struct View {
    Phase phase;
    Level level;  // around the innermost container; of a value, around the value
    std::uint32_t gap = 0;
    KeySet seen = KeySet::kNone;
    std::uint32_t text = 0;           // of the key so far
    std::uint32_t trace = kUntraced;  // the text since an element of an array whose elements must differ began
    Regular lexeme = Regular::kNothing;
    std::vector<Alternative> alternatives = {};
  };

  State intern(View view);
  View view(State state) const;
  Level intern(const LevelView& level);
  LevelView level(Level level) const;
  bool within_traced(Level level) const;
  static bool is_text(std::uint32_t trace) { return trace < kForgotten; }
  Level without_texts(Level level);
  bool has_many_values(const LevelView& level);
  static bool has_many_strings(RegularPool& pool, Regular strings);
  State next_different_element(const View& at);

  static const ByteSet& readable(Phase phase);
  bool add_keys(const View& at);
  void add_gap(const View& at);
  State advance(const View& at, std::uint8_t byte);
  std::uint32_t indentation(const View& at) const;
  State gap(const View& at, std::uint8_t byte);
  bool gap_done(const View& at, std::uint8_t byte) const;
  State begin_value(Level at, std::uint8_t byte);
  State in_scalar(const View& at, std::uint8_t byte);
  State behind_byte(View at);
  State end_scalar(const View& at);
  State end_container(const View& at);
  std::vector<std::uint32_t> ended(const View& at);
  State end_value(Level at, const std::vector<std::uint32_t>& wants);
  State behind_comma(const View& at);
  State begin_key(const View& at);
  State in_key(const View& at, std::uint8_t byte);
  State behind_key(const View& at);
  static void add_entry(LevelView& level, Term want, std::uint32_t progress, std::uint32_t tag);
  std::optional<Level> next_element(const View& at, std::uint32_t begin, bool many = false);
  std::string text_between(std::uint32_t begin, std::uint32_t end) const;
  Key element(std::uint32_t begin, std::uint32_t end);

  NormalForms& forms_;
  Whitespace whitespace_;
  Interner states_, levels_;
  Interner texts_;                   // of keys and traces: the text before, and a byte
  std::uint32_t trace_ = kUntraced;  // of the state that is being made
  Transitions steps_;
  std::unordered_map<std::uint32_t, Level> without_texts_;  // by level, as far as somebody asked
  std::vector<Lexeme> lexemes_;                             // of the last call of lexemes()
  State start_;
};

}  // namespace heed::grammar

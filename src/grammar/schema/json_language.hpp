// The JSON texts of a term, as an automaton: a JSON parser that tracks, at each level of nesting, the alternatives of the schema
// that are still possible. Each of them can be completed, so no prefix is a dead end.
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
  State summary(State state) override;
  RegularPool& pool() override { return forms_.pool(); }
  Budget& budget() override { return forms_.budget(); }

 private:
  // The syntactic position of a state.
  enum class Phase : std::uint8_t {
    value,          // before a value
    scalar,         // within a scalar
    first_key,      // after "{"
    next_key,       // after a comma
    key,            // within a key
    colon,          // after a key
    member_end,     // after a member
    first_element,  // after "["
    element_end,    // after an element
    done,
  };
  enum class Container : std::uint8_t { text, object, array };

  static constexpr std::uint32_t kUntraced = 0xFFFFFFFF, kSummarized = 0xFFFFFFFE;  // values of a trace that has no text

  // The container of a value: the terms that its alternatives demand of the value, and their progress after it. Level 0
  // holds the whole text.
  enum class Level : std::uint32_t { kText = 0 };
  struct Entry {
    std::uint32_t want;      // index in LevelView::wants
    std::uint32_t progress;  // after the value
    std::uint32_t tag;       // index in the outer level's wants: the term that this alternative of the container belongs to
  };
  struct LevelView {
    Container container;
    Level outer;
    KeySet seen;
    std::uint32_t depth;
    std::vector<Term> wants;
    std::vector<Entry> entries;
    // Whether elements must differ: `seen` then has the elements so far, as canonical texts; the next one is read from the trace.
    bool traced = false;
    bool checked_at_end = false;       // `wants` do not exclude `seen`: the element is compared with them where it ends
    Level exact_level = Level::kText;  // if checked_at_end: the level whose wants exclude `seen`
    std::uint32_t trace = kUntraced;   // the trace before the element
  };
  // An alternative of the innermost container or scalar.
  struct Alternative {
    std::uint32_t progress;  // an ObjectProgress, an ArrayProgress or, of a scalar, a Regular
    std::uint32_t tag;       // index in the wants of the level

    auto operator<=>(const Alternative&) const = default;
  };
  struct View {
    Phase phase;
    Level level;            // of the current value: the expected one, the scalar or the innermost container
    std::uint32_t gap = 0;  // bytes of white space so far
    KeySet seen = KeySet::kNone;
    std::uint32_t text = 0;           // id in texts_: the key so far
    std::uint32_t trace = kUntraced;  // id in texts_: the text since the beginning of the outermost element that must differ
    Regular lexeme = Regular::kNothing;
    std::vector<Alternative> alternatives = {};
  };

  State intern(View view);
  View view(State state) const;
  Level intern(const LevelView& level);
  LevelView level(Level level) const;
  bool within_traced(Level level) const;
  static bool is_text(std::uint32_t trace) { return trace < kSummarized; }
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
  State after_byte(View at);
  State end_scalar(const View& at);
  State end_container(const View& at);
  std::vector<std::uint32_t> ended(const View& at);
  State end_value(Level at, const std::vector<std::uint32_t>& wants);
  State after_comma(const View& at);
  State begin_key(const View& at);
  State in_key(const View& at, std::uint8_t byte);
  State after_key(const View& at);
  static void add_entry(LevelView& level, Term want, std::uint32_t progress, std::uint32_t tag);
  std::optional<Level> next_element(const View& at, std::uint32_t begin, bool many = false);
  std::string text_between(std::uint32_t begin, std::uint32_t end) const;
  Key element(std::uint32_t begin, std::uint32_t end);

  NormalForms& forms_;
  Whitespace whitespace_;
  Interner states_, levels_;
  Interner texts_;                   // keys and traces, as pairs of a shorter text and a byte
  std::uint32_t trace_ = kUntraced;  // View::trace of the state that is being made
  Transitions steps_;
  std::unordered_map<std::uint32_t, Level> without_texts_;  // cache, by level
  std::vector<Lexeme> lexemes_;                             // the last result of lexemes()
  State start_;
};

}  // namespace heed::grammar

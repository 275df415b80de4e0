#include "grammar/schema/json_language.hpp"

#include <algorithm>

namespace heed::grammar {
namespace {

constexpr ByteSet kSpaces = [] {
  ByteSet set;
  for (const char byte : {' ', '\t', '\n', '\r'}) set.insert(static_cast<std::uint8_t>(byte));
  return set;
}();

bool is_space(std::uint8_t byte) { return kSpaces.contains(byte); }

template <class T>
void sort_once(std::vector<T>& items) {
  std::sort(items.begin(), items.end());
  items.erase(std::unique(items.begin(), items.end()), items.end());
}

}  // namespace

JsonLanguage::JsonLanguage(NormalForms& forms, Term root, Whitespace whitespace)
    : forms_(forms), whitespace_(whitespace), states_(forms.budget()), levels_(forms.budget()), texts_(forms.budget()) {
  states_.intern(std::span<const std::uint32_t>());  // State::kDead
  texts_.intern(std::span<const std::uint32_t>());   // the empty text
  const Level text = intern({Container::text, Level::kText, KeySet::kNone, 0, {root}, {}});
  start_ = intern({Phase::value, text});
}

State JsonLanguage::intern(View view) {
  sort_once(view.alternatives);
  std::vector<std::uint32_t> words{static_cast<std::uint32_t>(view.phase),
                                   static_cast<std::uint32_t>(view.level),
                                   view.gap,
                                   static_cast<std::uint32_t>(view.seen),
                                   view.text,
                                   trace_,
                                   static_cast<std::uint32_t>(view.lexeme)};
  for (const Alternative& alternative : view.alternatives) {
    words.push_back(alternative.progress);
    words.push_back(alternative.tag);
  }
  return State{states_.intern(words).id};
}

JsonLanguage::View JsonLanguage::view(State state) const {
  const auto words = states_[static_cast<std::uint32_t>(state)];
  View view{Phase{static_cast<std::uint8_t>(words[0])},
            Level{words[1]},
            words[2],
            KeySet{words[3]},
            words[4],
            words[5],
            Regular{words[6]},
            {}};
  for (std::size_t i = 7; i < words.size(); i += 2) view.alternatives.push_back({words[i], words[i + 1]});
  return view;
}

JsonLanguage::Level JsonLanguage::intern(const LevelView& view) {
  std::vector<std::uint32_t> words{static_cast<std::uint32_t>(view.container),
                                   static_cast<std::uint32_t>(view.outer),
                                   static_cast<std::uint32_t>(view.seen),
                                   view.depth,
                                   view.checked_at_end                                              ? 3U
                                   : view.traced                                                    ? 2U
                                   : view.container != Container::text && within_traced(view.outer) ? 1U
                                                                                                    : 0U,
                                   view.trace,
                                   static_cast<std::uint32_t>(view.exact_level),
                                   static_cast<std::uint32_t>(view.wants.size())};
  for (const Term want : view.wants) words.push_back(static_cast<std::uint32_t>(want));
  for (const Entry& entry : view.entries)
    for (const std::uint32_t word : {entry.want, entry.progress, entry.tag}) words.push_back(word);
  return Level{levels_.intern(words).id};
}

JsonLanguage::LevelView JsonLanguage::level(Level level) const {
  const auto words = levels_[static_cast<std::uint32_t>(level)];
  LevelView view{Container{static_cast<std::uint8_t>(words[0])}, Level{words[1]}, KeySet{words[2]}, words[3], {}, {}};
  view.traced = words[4] >= 2;
  view.checked_at_end = words[4] == 3;
  view.trace = words[5];
  view.exact_level = Level{words[6]};
  const std::size_t entries = 8 + words[7];
  for (std::size_t i = 8; i < entries; ++i) view.wants.push_back(Term{words[i]});
  for (std::size_t i = entries; i < words.size(); i += 3) view.entries.push_back({words[i], words[i + 1], words[i + 2]});
  return view;
}

/// Whether values at the level are within elements that must differ.
bool JsonLanguage::within_traced(Level level) const { return levels_[static_cast<std::uint32_t>(level)][4] != 0; }

State JsonLanguage::step(State state, std::uint8_t byte) {
  if (!readable(static_cast<Phase>(states_[static_cast<std::uint32_t>(state)][0])).contains(byte)) return State::kDead;
  if (const auto known = steps_.find(state, byte)) return *known;
  budget().spend();
  const View at = view(state);
  trace_ = is_text(at.trace) ? texts_.intern({at.trace, byte}).id : at.trace;
  const State next = advance(at, byte);
  steps_.add(state, byte, next);
  return next;
}

// The bytes that JSON allows in a phase, so that all others are rejected cheaply.
const ByteSet& JsonLanguage::readable(Phase phase) {
  static constexpr auto with_space = [](std::string_view others) {
    ByteSet set = kSpaces;
    for (const char byte : others) set.insert(static_cast<std::uint8_t>(byte));
    return set;
  };
  static constexpr ByteSet kAny = ByteSet::all(), kNone, kValue = with_space("{[\"-0123456789tfn"),
                           kFirstElement = with_space("{[\"-0123456789tfn]"), kFirstKey = with_space("\"}"),
                           kNextKey = with_space("\""), kColon = with_space(":"), kMemberEnd = with_space(",}"),
                           kElementEnd = with_space(",]");
  switch (phase) {
    case Phase::value: return kValue;
    case Phase::first_key: return kFirstKey;
    case Phase::next_key: return kNextKey;
    case Phase::colon: return kColon;
    case Phase::member_end: return kMemberEnd;
    case Phase::first_element: return kFirstElement;
    case Phase::element_end: return kElementEnd;
    case Phase::done: return kNone;
    case Phase::scalar:
    case Phase::key: break;
  }
  return kAny;
}

bool JsonLanguage::accepts(State state) {
  const View at = view(state);
  if (at.phase == Phase::done) return true;
  return at.phase == Phase::scalar && at.level == Level::kText &&
         std::ranges::any_of(at.alternatives, [&](const Alternative& one) { return pool().accepts_empty(Regular{one.progress}); });
}

std::span<const Lexeme> JsonLanguage::lexemes(State state) {
  lexemes_.clear();
  const View at = view(state);
  if (at.phase == Phase::key && !add_keys(at))
    lexemes_.push_back({at.lexeme, State::kDead, readable(Phase::colon)});  // what follows depends on the key
  if (at.phase != Phase::scalar && at.phase != Phase::key) add_gap(at);
  if (at.phase != Phase::scalar || level(at.level).checked_at_end) return lexemes_;
  const Container around = level(at.level).container;
  const ByteSet& follow = readable(around == Container::text     ? Phase::done
                                   : around == Container::object ? Phase::member_end
                                                                 : Phase::element_end);
  for (std::size_t i = 0; i < at.alternatives.size();) {
    const std::uint32_t lexeme = at.alternatives[i].progress;
    std::vector<std::uint32_t> wants;
    for (; i < at.alternatives.size() && at.alternatives[i].progress == lexeme; ++i) wants.push_back(at.alternatives[i].tag);
    trace_ = at.trace;
    lexemes_.push_back({Regular{lexeme}, is_text(at.trace) ? State::kDead : end_value(at.level, wants), follow});
  }
  return lexemes_;
}

// Adds the keys as lexemes: members, and each set of other keys whose states differ only in `seen`. That matters only at the next
// key, after a colon and a value. False if the states of a set differ in more.
bool JsonLanguage::add_keys(const View& at) {
  constexpr std::uint32_t kColonAndValue = 2;  // the fewest bytes that a colon and a value take
  if (at.alternatives.size() != 1 || is_text(at.trace)) return false;
  const Alternative& one = at.alternatives.front();
  std::vector<ObjectPaths::OtherKeysStep> others;
  if (!forms_.object_paths().add_other_steps(ObjectProgress{one.progress}, at.seen, others) || others.empty()) return false;
  const std::string begun = '"' + text_between(0, at.text);
  const auto rest = [&](Regular keys) {
    for (const char byte : begun) keys = pool().derive(keys, static_cast<std::uint8_t>(byte));
    return keys;
  };
  const Regular members = rest(forms_.object_paths().member_keys(ObjectProgress{one.progress}, at.seen));
  if (members != Regular::kNothing) lexemes_.push_back({members, State::kDead, readable(Phase::colon)});
  trace_ = at.trace;
  for (const auto& [keys, step] : others) {
    const Regular left = rest(keys);
    if (left == Regular::kNothing) continue;
    LevelView around{Container::object, at.level, at.seen, level(at.level).depth + 1, {}, {}};
    add_entry(around, step.value, static_cast<std::uint32_t>(step.after), one.tag);
    lexemes_.push_back({left, intern({Phase::colon, intern(around)}), readable(Phase::colon), kColonAndValue});
  }
  return true;
}

// Adds white space as a lexeme, followed by the state in which no more white space is allowed. Adds nothing within a trace, where
// each byte makes a new state.
void JsonLanguage::add_gap(const View& at) {
  if (whitespace_.kind != Whitespace::Kind::any || at.gap >= whitespace_.limit || is_text(at.trace) || at.phase == Phase::done)
    return;
  if (at.phase == Phase::value && level(at.level).container == Container::text) return;
  View ended = at;
  ended.gap = whitespace_.limit;
  trace_ = at.trace;
  const Regular spaces = pool().repeat(pool().bytes(kSpaces), 0, whitespace_.limit - at.gap);
  lexemes_.push_back({spaces, intern(std::move(ended)), readable(at.phase) & ~kSpaces});
}

State JsonLanguage::advance(const View& at, std::uint8_t byte) {
  if (at.phase == Phase::scalar) return in_scalar(at, byte);
  if (at.phase == Phase::key) return in_key(at, byte);
  if (at.phase == Phase::done) return State::kDead;
  if (is_space(byte)) return gap(at, byte);
  const bool ready = gap_done(at, byte);
  if (!ready) return State::kDead;
  switch (at.phase) {
    case Phase::value: return begin_value(at.level, byte);
    case Phase::colon: return byte == ':' ? intern({Phase::value, at.level}) : State::kDead;
    case Phase::first_key:
    case Phase::next_key:
      if (byte == '"') return begin_key(at);
      return byte == '}' && at.phase == Phase::first_key ? end_container(at) : State::kDead;
    case Phase::member_end:
      if (byte == '}') return end_container(at);
      return byte == ',' ? after_comma(at) : State::kDead;
    case Phase::first_element: {
      if (byte == ']') return end_container(at);
      const auto level = next_element(at, at.trace);
      if (level && trace_ != kUntraced && at.trace == kUntraced) trace_ = texts_.intern({0, byte}).id;
      return level ? begin_value(*level, byte) : State::kDead;
    }
    case Phase::element_end: {
      if (byte == ']') return end_container(at);
      if (byte != ',') return State::kDead;
      const auto must_differ = [&](const Alternative& one) { return forms_.array_paths().unique(ArrayProgress{one.progress}); };
      if (std::ranges::any_of(at.alternatives, must_differ)) return next_different_element(at);
      const auto level = next_element(at, trace_);
      return level ? intern({Phase::value, *level}) : State::kDead;
    }
    default: return State::kDead;
  }
}

// The number of bytes of white space that JSON.stringify writes here, unless a comma or the end of an empty container follows.
std::uint32_t JsonLanguage::indentation(const View& at) const {
  const LevelView around = level(at.level);
  switch (at.phase) {
    case Phase::value:
      if (around.container == Container::text) return 0;
      return around.container == Container::object ? 1 : 1 + whitespace_.indent * around.depth;
    case Phase::first_key:
    case Phase::next_key:
    case Phase::first_element: return 1 + whitespace_.indent * (around.depth + 1);
    case Phase::member_end:
    case Phase::element_end: return 1 + whitespace_.indent * around.depth;
    default: return 0;
  }
}

State JsonLanguage::gap(const View& at, std::uint8_t byte) {
  if (whitespace_.kind == Whitespace::Kind::compact) return State::kDead;
  if (at.phase == Phase::value && level(at.level).container == Container::text) return State::kDead;
  if (whitespace_.kind == Whitespace::Kind::any) {
    if (at.gap >= whitespace_.limit) return State::kDead;
  } else {
    const bool in_object = at.phase == Phase::value && level(at.level).container == Container::object;
    if (at.gap >= indentation(at) || byte != (at.gap == 0 && !in_object ? '\n' : ' ')) return State::kDead;
    // A newline here implies what follows: an element, a key or the end.
    if (at.gap == 0) {
      const std::uint32_t trace = trace_;
      if (at.phase == Phase::first_key && begin_key(at) == State::kDead) return State::kDead;
      if (at.phase == Phase::first_element && !next_element(at, at.trace)) return State::kDead;
      if ((at.phase == Phase::member_end || at.phase == Phase::element_end) && ended(at).empty()) return State::kDead;
      trace_ = trace;
    }
  }
  View next = at;
  ++next.gap;
  return intern(std::move(next));
}

// Whether `byte`, which is not white space, may follow the white space so far.
bool JsonLanguage::gap_done(const View& at, std::uint8_t byte) const {
  if (whitespace_.kind != Whitespace::Kind::indented) return true;
  const bool closes_empty = (at.phase == Phase::first_key && byte == '}') || (at.phase == Phase::first_element && byte == ']');
  return at.gap == (closes_empty || byte == ',' ? 0 : indentation(at));
}

State JsonLanguage::begin_value(Level at, std::uint8_t byte) {
  const LevelView around = level(at);
  const bool summarized = trace_ == kSummarized;
  bool needs_exact = byte == '[';  // matters only if the level is checked_at_end
  View next{byte == '{' ? Phase::first_key : byte == '[' ? Phase::first_element : Phase::scalar, at};
  for (std::uint32_t want = 0; want < around.wants.size(); ++want) {
    const Normal& normal = forms_.normal(around.wants[want]);
    if (byte == '{') {
      for (const ObjectId id : normal.objects) {
        if (forms_.inhabited(id) != Truth::yes) continue;
        next.alternatives.push_back({static_cast<std::uint32_t>(forms_.object_paths().start(id)), want});
        needs_exact |= around.checked_at_end && !forms_.object_paths().unlimited(id);
      }
    } else if (byte == '[') {
      for (const ArrayId id : normal.arrays)
        if (forms_.inhabited(id) == Truth::yes)
          next.alternatives.push_back({static_cast<std::uint32_t>(forms_.array_paths().start(id)), want});
    } else {
      const Regular rest = pool().derive(normal.scalars.texts, byte);
      if (rest == Regular::kNothing) continue;
      next.alternatives.push_back({static_cast<std::uint32_t>(rest), want});
      needs_exact |= around.checked_at_end && (!summarized || !has_many_strings(pool(), rest));
    }
  }
  if (next.alternatives.empty()) return State::kDead;
  if (around.checked_at_end && needs_exact) return summarized ? State::kUndecided : begin_value(around.exact_level, byte);
  return next.phase == Phase::scalar ? after_byte(std::move(next)) : intern(std::move(next));
}

State JsonLanguage::in_scalar(const View& at, std::uint8_t byte) {
  View next{Phase::scalar, at.level};
  for (const Alternative& one : at.alternatives) {
    const Regular rest = pool().derive(Regular{one.progress}, byte);
    if (rest != Regular::kNothing) next.alternatives.push_back({static_cast<std::uint32_t>(rest), one.tag});
  }
  if (!next.alternatives.empty() && level(at.level).checked_at_end) return State::kUndecided;  // only in a summary
  if (!next.alternatives.empty()) return after_byte(std::move(next));
  trace_ = at.trace;
  const State end = end_scalar(at);
  return end == State::kDead ? end : step(end, byte);
}

// Ends a scalar that cannot continue, so that all such scalars lead to the same state.
State JsonLanguage::after_byte(View at) {
  const bool ended = std::ranges::all_of(at.alternatives, [](const Alternative& one) {
    return one.progress == static_cast<std::uint32_t>(Regular::kEmptyText);
  });
  return ended ? end_scalar(at) : intern(std::move(at));
}

State JsonLanguage::end_scalar(const View& at) {
  std::vector<std::uint32_t> wants;
  for (const Alternative& one : at.alternatives)
    if (pool().accepts_empty(Regular{one.progress})) wants.push_back(one.tag);
  return end_value(at.level, wants);
}

State JsonLanguage::end_container(const View& at) {
  if (trace_ == kSummarized && !within_traced(at.level)) trace_ = kUntraced;
  return end_value(at.level, ended(at));
}

// The indices of the level's wants that the container satisfies if it ends here.
std::vector<std::uint32_t> JsonLanguage::ended(const View& at) {
  const bool object = at.phase == Phase::first_key || at.phase == Phase::member_end;
  std::vector<std::uint32_t> wants;
  for (const Alternative& one : at.alternatives)
    if (object ? forms_.object_paths().may_end(ObjectProgress{one.progress})
               : forms_.array_paths().may_end(ArrayProgress{one.progress}))
      wants.push_back(one.tag);
  return wants;
}

// The state after a value that satisfies `wants` of its level.
State JsonLanguage::end_value(Level at, const std::vector<std::uint32_t>& wants) {
  if (wants.empty()) return State::kDead;
  const LevelView around = level(at);
  if (around.container == Container::text) return intern({Phase::done, at});
  const bool summarized = trace_ == kSummarized;
  if (around.checked_at_end && summarized) return State::kUndecided;
  View next{around.container == Container::object ? Phase::member_end : Phase::element_end, around.outer};
  next.seen = around.seen;
  bool unique = false;
  for (const Entry& entry : around.entries) {
    if (std::ranges::find(wants, entry.want) == wants.end()) continue;
    next.alternatives.push_back({entry.progress, entry.tag});
    unique |= around.traced && forms_.array_paths().unique(ArrayProgress{entry.progress});
  }
  if (around.traced) {
    next.seen = KeySet::kNone;
    if (unique && !summarized) {
      const Key value = element(around.trace, trace_);
      if (around.checked_at_end && forms_.keys().contains(around.seen, value)) return State::kDead;
      next.seen = forms_.keys().with(around.seen, value);
    }
    if (!within_traced(around.outer) && !(unique && summarized)) trace_ = kUntraced;
  }
  return intern(std::move(next));
}

State JsonLanguage::after_comma(const View& at) {
  View next{Phase::next_key, at.level};
  next.seen = at.seen;
  for (const Alternative& one : at.alternatives)
    if (forms_.object_paths().keys(ObjectProgress{one.progress}, at.seen) != Regular::kNothing) next.alternatives.push_back(one);
  return next.alternatives.empty() ? State::kDead : intern(std::move(next));
}

State JsonLanguage::begin_key(const View& at) {
  std::vector<Regular> keys;
  View next{Phase::key, at.level};
  next.seen = at.seen;
  for (const Alternative& one : at.alternatives) {
    keys.push_back(forms_.object_paths().keys(ObjectProgress{one.progress}, at.seen));
    if (keys.back() != Regular::kNothing) next.alternatives.push_back(one);
  }
  next.lexeme = pool().derive(pool().any_of(keys), '"');
  return next.lexeme == Regular::kNothing ? State::kDead : intern(std::move(next));
}

State JsonLanguage::in_key(const View& at, std::uint8_t byte) {
  View next = at;
  next.lexeme = pool().derive(at.lexeme, byte);
  if (next.lexeme == Regular::kNothing) return State::kDead;
  if (pool().accepts_empty(next.lexeme)) return after_key(at);
  next.text = texts_.intern({at.text, byte}).id;
  return intern(std::move(next));
}

State JsonLanguage::after_key(const View& at) {
  const std::string written = '"' + text_between(0, at.text) + '"';
  const Key key = forms_.keys().key(read_json(written, budget()).text);

  LevelView around{Container::object, at.level, at.seen, level(at.level).depth + 1, {}, {}};
  bool member_of_all = true;
  std::vector<ObjectPaths::Step> steps;
  for (const Alternative& one : at.alternatives) {
    steps.clear();
    forms_.object_paths().add_steps(ObjectProgress{one.progress}, at.seen, key, steps);
    for (const ObjectPaths::Step& step : steps) add_entry(around, step.value, static_cast<std::uint32_t>(step.after), one.tag);
    if (!steps.empty()) member_of_all &= forms_.object_paths().is_member(ObjectProgress{one.progress}, key);
  }
  if (!member_of_all) around.seen = forms_.keys().with(at.seen, key);
  return around.entries.empty() ? State::kDead : intern({Phase::colon, intern(around)});
}

void JsonLanguage::add_entry(LevelView& level, Term want, std::uint32_t progress, std::uint32_t tag) {
  const auto known = std::ranges::find(level.wants, want);
  const auto index = static_cast<std::uint32_t>(known - level.wants.begin());
  if (known == level.wants.end()) level.wants.push_back(want);
  level.entries.push_back({index, progress, tag});
}

// The level of the next element, which begins after the trace `begin`; nullopt if there cannot be one. `many`: see
// ArrayPaths::add_steps.
std::optional<JsonLanguage::Level> JsonLanguage::next_element(const View& at, std::uint32_t begin, bool many) {
  LevelView around{Container::array, at.level, KeySet::kNone, level(at.level).depth + 1, {}, {}};
  std::vector<ArrayPaths::Step> steps;
  for (const Alternative& one : at.alternatives) {
    const ArrayProgress progress{one.progress};
    steps.clear();
    forms_.array_paths().add_steps(progress, at.seen, steps, many);
    for (const ArrayPaths::Step& step : steps) add_entry(around, step.element, static_cast<std::uint32_t>(step.after), one.tag);
    around.traced |= !steps.empty() && forms_.array_paths().unique(progress);
  }
  if (around.entries.empty()) return std::nullopt;
  if (around.traced) {
    around.seen = at.seen;
    const bool outer_traced = within_traced(at.level);
    around.trace = outer_traced ? begin : 0;
    if (!outer_traced) trace_ = 0;
  }
  return intern(around);
}

}  // namespace heed::grammar

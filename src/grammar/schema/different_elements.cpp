// Elements of arrays that must differ (uniqueItems): what of a text matters for the next one, and for how long it does not.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "grammar/schema/json_language.hpp"

namespace heed::grammar {

/// The texts of elements that must differ are left out: that of the one that is being read, and those before it.
State JsonLanguage::gist(State state) {
  View at = view(state);
  if (at.phase == Phase::behind_others) {
    const View plain = view(State{at.text});
    return plain.phase == Phase::scalar && level(plain.level).among_many ? gist(exact(at)) : State{at.text};
  }
  const bool behind_elements = at.phase == Phase::element_end && at.seen != KeySet::kNone;
  if (!is_text(at.trace) && !behind_elements) return state;
  at.level = without_texts(at.level);
  if (behind_elements) at.seen = KeySet::kNone;
  trace_ = kForgotten;
  return intern(std::move(at));
}

JsonLanguage::Level JsonLanguage::without_texts(Level level) {
  std::vector<Level> inner;
  for (; within_traced(level); level = this->level(level).outer) {
    const auto known = without_texts_.find(static_cast<std::uint32_t>(level));
    if (known != without_texts_.end()) {
      level = known->second;
      break;
    }
    budget().spend();
    inner.push_back(level);
  }
  for (; !inner.empty(); inner.pop_back()) {
    LevelView view = this->level(inner.back());
    view.outer = level;
    if (view.traced) view.seen = KeySet::kNone, view.trace = kForgotten;
    level = intern(view);
    without_texts_.emplace(static_cast<std::uint32_t>(inner.back()), level);
  }
  return level;
}

bool JsonLanguage::has_many_strings(RegularPool& pool, Regular strings) {
  const auto counted = pool.counted(strings);
  if (!counted || counted->max == 0) return false;
  const auto any = [&](Spelling spelling) { return counted->character == pool.characters(CodePoints::all(), spelling); };
  return any(Spelling::json_any) || any(Spelling::json_canonical);
}

// Whether the next element can have more values than a text has elements, whatever is wanted of it.
bool JsonLanguage::has_many_values(const LevelView& level) {
  return std::ranges::all_of(level.wants, [&](Term want) {
    const Normal& normal = forms_.normal(want);
    return std::ranges::any_of(normal.objects, [&](ObjectId id) { return forms_.object_paths().unlimited(id); }) ||
           has_many_strings(pool(), pool().derive(normal.scalars.texts, '"'));
  });
}

// Behind a comma where elements must differ. What an element may be that differs from many is a large formula, and seldom matters: as
// long as it can still become any of more values than there are elements, it goes on as if it were the first one, and where an object
// ends, it is compared with the others. Only for other values, and where there are few, the formula is needed.
State JsonLanguage::next_different_element(const View& at) {
  const std::uint32_t trace = trace_;
  View forgetful = at;
  forgetful.level = without_texts(at.level);
  forgetful.seen = KeySet::kNone;
  const auto first = next_element(forgetful, kForgotten, true);
  if (!first) return State::kDead;
  LevelView plain = level(*first);
  plain.entries.clear();
  plain.among_many = plain.traced = true;
  plain.trace = kForgotten;
  // Of a line break the indentation says that the object ends, and not only its bracket. Values of a prefix may be kept for others.
  const bool many = whitespace_.kind != Whitespace::Kind::indented && has_many_values(plain) &&
                    std::ranges::all_of(at.alternatives, [&](const Alternative& one) {
                      const ArrayProgress progress{one.progress};
                      return forms_.array_paths().unique(progress) && forms_.array_paths().alike(progress);
                    });
  trace_ = kForgotten;
  const State without = many ? intern({Phase::value, intern(plain)}) : State::kUndecided;
  if (trace == kForgotten) return without;
  trace_ = trace;
  const auto exactly = next_element(at, trace, many);
  if (!exactly) return State::kDead;
  if (!many) return intern({Phase::value, *exactly});
  return intern({.phase = Phase::behind_others, .level = *exactly, .text = static_cast<std::uint32_t>(without)});
}

State JsonLanguage::behind_others(const View& at, std::uint8_t byte) {
  const std::uint32_t trace = trace_;
  const State without = step(State{at.text}, byte);
  if (without == State::kDead) return without;
  if (without != State::kUndecided) {
    trace_ = trace;
    return intern({.phase = Phase::behind_others, .level = at.level, .text = static_cast<std::uint32_t>(without)});
  }
  View plain = view(State{at.text});
  if (plain.phase == Phase::scalar && !level(plain.level).among_many) {  // of the last member
    trace_ = kForgotten;
    plain = view(end_scalar(plain));
  }
  const LevelView around = level(at.level), inner = level(plain.level);
  const bool in_object = plain.phase == Phase::first_key || plain.phase == Phase::member_end;
  if (!in_object || !inner.among_many || inner.depth != around.depth) {
    const State exactly = exact(at);
    return exactly == State::kDead ? exactly : step(exactly, byte);
  }
  trace_ = trace;  // an object ends: what it must not be is known
  return forms_.keys().contains(around.seen, element(around.trace, trace)) ? State::kDead : end_value(at.level, ended(plain));
}

// The state with all that the others exclude: what was read of the element is read again.
State JsonLanguage::exact(const View& at) {
  const LevelView around = level(at.level);
  trace_ = around.trace;
  State state = intern({Phase::value, at.level});
  for (const char byte : text_between(around.trace, at.trace)) {
    if (state == State::kDead) break;
    state = step(state, static_cast<std::uint8_t>(byte));
  }
  return state;
}

std::string JsonLanguage::text_between(std::uint32_t begin, std::uint32_t end) const {
  std::string text;
  for (; end != begin; end = texts_[end][0]) text += static_cast<char>(texts_[end][1]);
  std::reverse(text.begin(), text.end());
  return text;
}

Key JsonLanguage::element(std::uint32_t begin, std::uint32_t end) {
  return forms_.element(read_json(text_between(begin, end), budget()));
}

}  // namespace heed::grammar

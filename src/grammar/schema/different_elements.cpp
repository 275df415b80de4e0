// uniqueItems: the history of elements that must differ, and summaries of states, which omit this history.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "grammar/schema/json_language.hpp"

namespace heed::grammar {

/// If elements must differ: the state without the text of the current element and without the elements before it.
State JsonLanguage::summary(State state) {
  View at = view(state);
  const bool after_elements = at.phase == Phase::element_end && at.seen != KeySet::kNone;
  if (!is_text(at.trace) && !after_elements) return state;
  at.level = without_texts(at.level);
  if (after_elements) at.seen = KeySet::kNone;
  trace_ = kSummarized;
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
    if (view.traced) view.seen = KeySet::kNone, view.trace = kSummarized;
    if (view.checked_at_end) view.exact_level = Level::kText, view.entries.clear();  // whether it may end is left undecided
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

// Whether each alternative for the next element has more values than any text has elements.
bool JsonLanguage::has_many_values(const LevelView& level) {
  return std::ranges::all_of(level.wants, [&](Term want) {
    const Normal& normal = forms_.normal(want);
    return std::ranges::any_of(normal.objects, [&](ObjectId id) { return forms_.object_paths().unlimited(id); }) ||
           has_many_strings(pool(), pool().derive(normal.scalars.texts, '"'));
  });
}

// The state after a comma, if elements must differ. The exact term of an element that differs from many others is large, and rarely
// matters. So an object to which any key can be added is read as if it were the first element, and compared with earlier elements
// only where it ends, so that its states have few summaries. All other values are read with the exact term from their first byte.
State JsonLanguage::next_different_element(const View& at) {
  const std::uint32_t trace = trace_;
  const bool summarized = trace == kSummarized;
  View without_seen = at;
  without_seen.seen = KeySet::kNone;
  const auto first = next_element(without_seen, trace, true);
  if (!first) return State::kDead;
  LevelView among = level(*first);
  // This does not work with indentation, where a newline already decides that the object ends, nor with a prefix, whose elements
  // may need certain values.
  const bool many = whitespace_.kind != Whitespace::Kind::indented && has_many_values(among) &&
                    std::ranges::all_of(at.alternatives, [&](const Alternative& one) {
                      const ArrayProgress progress{one.progress};
                      return forms_.array_paths().unique(progress) && forms_.array_paths().alike(progress);
                    });
  if (!many && summarized) return State::kUndecided;
  const auto exact = summarized ? first : next_element(at, trace, many);
  if (!exact) return State::kDead;
  if (!many) return intern({Phase::value, *exact});
  among.checked_at_end = true;
  among.seen = at.seen;
  among.exact_level = *exact;
  const Level reached = intern(among);
  if (summarized) trace_ = kSummarized;
  return intern({Phase::value, summarized ? without_texts(reached) : reached});
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

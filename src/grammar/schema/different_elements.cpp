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
    if (view.among_many) view.exactly = Level::kText, view.entries.clear();  // where it may end is not decided
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

// Behind a comma where elements must differ. What an element may be that differs from many is a large formula, and seldom matters: an
// object to which any number of keys can be added is read as if it were the first element, and where it ends, it is looked up among
// those before it. So its states have few gists. All other values are read by the formula, from their first byte on.
State JsonLanguage::next_different_element(const View& at) {
  const std::uint32_t trace = trace_;
  const bool forgotten = trace == kForgotten;
  View forgetful = at;
  forgetful.seen = KeySet::kNone;
  const auto first = next_element(forgetful, trace, true);
  if (!first) return State::kDead;
  LevelView among = level(*first);
  // Of a line break the indentation says that the object ends, and not only its bracket. Values of a prefix may be kept for others.
  const bool many = whitespace_.kind != Whitespace::Kind::indented && has_many_values(among) &&
                    std::ranges::all_of(at.alternatives, [&](const Alternative& one) {
                      const ArrayProgress progress{one.progress};
                      return forms_.array_paths().unique(progress) && forms_.array_paths().alike(progress);
                    });
  if (!many && forgotten) return State::kUndecided;
  const auto exactly = forgotten ? first : next_element(at, trace, many);
  if (!exactly) return State::kDead;
  if (!many) return intern({Phase::value, *exactly});
  among.among_many = true;
  among.seen = at.seen;
  among.exactly = *exactly;
  const Level reached = intern(among);
  if (forgotten) trace_ = kForgotten;
  return intern({Phase::value, forgotten ? without_texts(reached) : reached});
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

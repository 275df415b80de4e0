#include "grammar/schema/array_paths.hpp"

#include <algorithm>
#include <utility>

#include "grammar/schema/few_values.hpp"
#include "grammar/schema/normal_forms.hpp"

namespace heed::grammar {
namespace {

constexpr std::uint32_t kMaxSearchDepth = 2'000;

void refuse_depth(std::uint32_t depth) {
  if (depth > kMaxSearchDepth)
    throw Refusal{"too-large", "contains", "",
                  "more than " + std::to_string(kMaxSearchDepth) + " elements of lookahead are needed"};
}

// From this index on, the same terms apply to every element, apart from counted matches.
std::uint32_t last_counted(const ArrayShape& shape) {
  std::uint32_t last = std::max(static_cast<std::uint32_t>(shape.prefix.size()), shape.min);
  for (const Contained& contained : shape.contained) last = std::max(last, contained.from);
  return last;
}

}  // namespace

struct ArrayPaths::Place {
  ArrayId id;
  const ArrayShape* shape;
  std::uint32_t index;                // of the next element; capped at last_counted() if there is no maximum
  std::vector<std::uint32_t> counts;  // matches of each `contained`; capped at the minimum if there is no maximum

  bool enough() const {
    if (index < shape->min) return false;
    for (std::size_t i = 0; i < counts.size(); ++i)
      if (counts[i] < shape->contained[i].min) return false;
    return true;
  }
};

ArrayPaths::Place ArrayPaths::place(ArrayProgress progress) const {
  const auto words = words_[static_cast<std::uint32_t>(progress)];
  const ArrayId id{words[0]};
  return {id, &forms_.array(id), words[1], {words.begin() + 2, words.end()}};
}

ArrayProgress ArrayPaths::intern(const Place& place) {
  std::vector<std::uint32_t> words{static_cast<std::uint32_t>(place.id), place.index};
  words.insert(words.end(), place.counts.begin(), place.counts.end());
  return ArrayProgress{words_.intern(words).id};
}

ArrayProgress ArrayPaths::start(ArrayId id) {
  const ArrayShape& shape = forms_.array(id);
  return intern({id, &shape, 0, std::vector<std::uint32_t>(shape.contained.size())});
}

bool ArrayPaths::may_end(ArrayProgress progress) { return place(progress).enough(); }

// The ways to continue with one more element, including those that cannot be completed.
std::vector<ArrayPaths::Step> ArrayPaths::possible_steps(const Place& at) {
  const ArrayShape& shape = *at.shape;
  if (at.index >= shape.max) return {};
  struct Way {
    std::vector<Term> terms;
    Place after;
  };
  Way first{{at.index < shape.prefix.size() ? shape.prefix[at.index] : shape.rest}, at};
  if (shape.max != kNoLimit || at.index < last_counted(shape)) ++first.after.index;
  std::vector<Way> ways{std::move(first)};
  Terms& terms = forms_.terms();
  for (std::size_t i = 0; i < shape.contained.size(); ++i) {
    const Contained& contained = shape.contained[i];
    const bool counts = contained.max != kNoLimit || at.counts[i] < contained.min;
    if (at.index < contained.from || !counts) continue;
    const std::size_t before = ways.size();
    for (std::size_t w = 0; w < before; ++w) {
      forms_.budget().spend();
      if (at.counts[i] < contained.max) {
        Way inside = ways[w];
        inside.terms.push_back(contained.element);
        ++inside.after.counts[i];
        ways.push_back(std::move(inside));
      }
      // Without a maximum, matching elements need not be counted.
      if (contained.max != kNoLimit) ways[w].terms.push_back(terms.negation(contained.element));
    }
  }
  std::vector<Step> steps;
  for (const Way& way : ways) {
    const Term element = terms.both(way.terms);
    if (forms_.inhabited(element) != Truth::no) steps.push_back({element, intern(way.after)});
  }
  return steps;
}

Truth ArrayPaths::viable(ArrayProgress progress) { return viable(progress, 0); }

Truth ArrayPaths::viable(ArrayProgress progress, std::uint32_t depth) {
  const Place at = place(progress);
  const ArrayShape& shape = *at.shape;
  if (at.enough()) return Truth::yes;
  if (shape.min > shape.max) return Truth::no;
  const auto word = static_cast<std::uint32_t>(progress);
  if (const auto known = known_.find(word); known != known_.end()) return known->second;
  Truth truth = shape.contained.empty() ? have_values(at) : search(progress, depth);
  if (truth != Truth::no && shape.unique && at.index == 0 && !different_values(progress, KeySet::kNone)) truth = Truth::no;
  const bool certain = truth == Truth::yes ? !shape.unique || forms_.settled() : truth == Truth::no && forms_.certain();
  if (certain) known_[word] = truth;
  return truth;
}

// Whether each of the missing elements, up to the minimum, has a value.
Truth ArrayPaths::have_values(const Place& at) {
  const ArrayShape& shape = *at.shape;
  Truth truth = Truth::yes;
  for (std::uint32_t i = at.index; i < shape.min && truth != Truth::no; ++i) {
    truth = std::min(truth, forms_.inhabited(i < shape.prefix.size() ? shape.prefix[i] : shape.rest));
    if (i >= shape.prefix.size()) break;  // all others have the same term
  }
  return truth;
}

// Whether some sequence of steps completes the array. Tries the steps that satisfy the most requirements first: they are last in
// the list.
Truth ArrayPaths::search(ArrayProgress progress, std::uint32_t depth) {
  refuse_depth(depth);
  Truth truth = Truth::no;
  const std::vector<Step> steps = possible_steps(place(progress));
  for (std::size_t i = steps.size(); i-- > 0 && truth != Truth::yes;) {
    if (steps[i].after == progress) continue;
    truth = std::max(truth, std::min(forms_.inhabited(steps[i].element), viable(steps[i].after, depth + 1)));
  }
  return truth;
}

bool ArrayPaths::unique(ArrayProgress progress) const { return place(progress).shape->unique; }

bool ArrayPaths::alike(ArrayProgress progress) const {
  const Place at = place(progress);
  return at.index >= at.shape->prefix.size() && at.shape->contained.empty();
}

void ArrayPaths::add_steps(ArrayProgress progress, KeySet seen, std::vector<Step>& steps, bool many) {
  const Place at = place(progress);
  for (Step step : possible_steps(at)) {
    if (viable(step.after) == Truth::no) continue;
    if (at.shape->unique) {
      const auto excluded = excluded_values(step.after, seen);
      if (!excluded) continue;
      step.element = forms_.without_elements(step.element, *excluded);
      if (!many && forms_.inhabited(step.element) == Truth::no) continue;
    }
    steps.push_back(step);
  }
}

// The values that the next element must not have: those in `seen`, and those that later elements need in order to differ. nullopt
// if the later elements cannot differ at all.
std::optional<std::vector<Key>> ArrayPaths::excluded_values(ArrayProgress after, KeySet seen) {
  const auto wanted = different_values(after, seen);
  if (!wanted) return std::nullopt;
  std::vector<Key> excluded = forms_.keys().members(seen);
  for (const Key value : *wanted)
    if (!different_values(after, forms_.keys().with(seen, value))) excluded.push_back(value);
  return excluded;
}

// Assigns different values, none of them in `seen`, to the missing elements with few possible values; other elements always find
// one. nullopt if that is impossible.
std::optional<std::vector<Key>> ArrayPaths::different_values(ArrayProgress progress, KeySet seen) {
  Matching matching(forms_.keys(), seen, forms_.budget());
  Interner tried(forms_.budget());
  const Place at = place(progress);
  const bool differ = at.shape->contained.empty() ? match(at, matching) : match_some_way(progress, matching, tried, 0);
  return differ ? std::optional(matching.values()) : std::nullopt;
}

bool ArrayPaths::match(const Place& at, Matching& matching) {
  const auto prefix = static_cast<std::uint32_t>(at.shape->prefix.size());
  SharedValues alike;
  for (std::uint32_t i = at.index; i < at.shape->min; ++i) {
    forms_.budget().spend();
    const Term element = i < prefix ? at.shape->prefix[i] : at.shape->rest;
    const SharedValues values = alike ? alike : values_if_few(element, *at.shape);
    if (i >= prefix) alike = values;
    if (!values && i >= prefix) return true;
    if (values && !matching.add(element, values)) return false;
  }
  return true;
}

// Whether the array can be completed with elements that differ. `tried`: the positions already tried, each with the terms of the
// elements matched before it.
bool ArrayPaths::match_some_way(ArrayProgress progress, Matching& matching, Interner& tried, std::uint32_t depth) {
  const Place at = place(progress);
  if (at.enough()) return true;
  refuse_depth(depth);
  std::vector<std::uint32_t> words = matching.terms();
  words.push_back(static_cast<std::uint32_t>(progress));
  if (!tried.intern(words).fresh) return false;
  const std::vector<Step> steps = possible_steps(at);
  for (std::size_t i = steps.size(); i-- > 0;) {  // steps that meet the most requirements are last
    if (steps[i].after == progress) continue;
    const SharedValues values = values_if_few(steps[i].element, *at.shape);
    if (values && !matching.add(steps[i].element, values)) continue;
    if (match_some_way(steps[i].after, matching, tried, depth + 1)) return true;
    if (values) matching.take_back();
  }
  return false;
}

// The values of an element; nullptr if they outnumber the elements that may be required.
SharedValues ArrayPaths::values_if_few(Term element, const ArrayShape& shape) {
  std::uint32_t limit = last_counted(shape);
  for (const Contained& contained : shape.contained) limit += std::min(contained.min, kNoLimit - limit);
  const std::uint64_t word = std::uint64_t{limit} << 32 | static_cast<std::uint32_t>(element);
  if (const auto known = few_values_.find(word); known != few_values_.end()) return known->second;
  auto found = few_values(forms_, element, limit);
  SharedValues values = found ? std::make_shared<const std::vector<Key>>(std::move(*found)) : nullptr;
  if (forms_.settled()) few_values_.emplace(word, values);
  return values;
}

}  // namespace heed::grammar

#include "grammar/schema/array_paths.hpp"

#include <algorithm>
#include <utility>

#include "grammar/schema/few_values.hpp"
#include "grammar/schema/normal_forms.hpp"

namespace heed::grammar {
namespace {

constexpr std::uint32_t kMaxSearchDepth = 2'000;

}  // namespace

struct ArrayPaths::Place {
  ArrayId id;
  const ArrayShape* shape;
  std::uint32_t index;                // of the next element; where all further ones are alike, not beyond the first of these
  std::vector<std::uint32_t> counts;  // of the elements in each `contained`; where there is no maximum, not beyond the minimum

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

// The ways to go on, whether or not they can be finished.
std::vector<ArrayPaths::Step> ArrayPaths::possible_steps(const Place& at) {
  const ArrayShape& shape = *at.shape;
  if (at.index >= shape.max) return {};
  struct Way {
    std::vector<Term> terms;
    Place behind;
  };
  Way first{{at.index < shape.prefix.size() ? shape.prefix[at.index] : shape.rest}, at};
  std::uint32_t last = std::max(static_cast<std::uint32_t>(shape.prefix.size()), shape.min);
  for (const Contained& contained : shape.contained) last = std::max(last, contained.from);
  if (shape.max != kNoLimit || at.index < last) ++first.behind.index;
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
        ++inside.behind.counts[i];
        ways.push_back(std::move(inside));
      }
      // Without a maximum, an element that is inside need not be counted.
      if (contained.max != kNoLimit) ways[w].terms.push_back(terms.negation(contained.element));
    }
  }
  std::vector<Step> steps;
  for (const Way& way : ways) {
    const Term element = terms.both(way.terms);
    if (forms_.inhabited(element) != Truth::no) steps.push_back({element, intern(way.behind)});
  }
  return steps;
}

Truth ArrayPaths::viable(ArrayProgress progress) { return viable(progress, 0); }

Truth ArrayPaths::viable(ArrayProgress progress, std::uint32_t depth) {
  const Place at = place(progress);
  const ArrayShape& shape = *at.shape;
  if (at.enough()) return Truth::yes;
  if (shape.min > shape.max) return Truth::no;
  if (shape.unique && at.index == 0 && !enough_values(at, KeySet::kNone)) return Truth::no;
  if (shape.contained.empty()) {
    Truth truth = Truth::yes;
    for (std::uint32_t i = at.index; i < shape.min && truth != Truth::no; ++i) {
      truth = std::min(truth, forms_.inhabited(i < shape.prefix.size() ? shape.prefix[i] : shape.rest));
      if (i >= shape.prefix.size()) break;  // all others are alike
    }
    return truth;
  }
  const auto word = static_cast<std::uint32_t>(progress);
  if (const auto known = known_.find(word); known != known_.end()) return known->second;
  if (depth > kMaxSearchDepth)
    throw Refusal{"too-large", "contains", "", "more elements than " + std::to_string(kMaxSearchDepth) + " must be looked ahead"};
  Truth truth = Truth::no;
  // The elements that count most come first: they lead to the end.
  const std::vector<Step> steps = possible_steps(at);
  for (std::size_t i = steps.size(); i-- > 0 && truth != Truth::yes;) {
    if (steps[i].after == progress) continue;
    truth = std::max(truth, std::min(forms_.inhabited(steps[i].element), viable(steps[i].after, depth + 1)));
  }
  if (truth == Truth::yes || (truth == Truth::no && forms_.certain())) known_[word] = truth;
  return truth;
}

bool ArrayPaths::unique(ArrayProgress progress) const { return place(progress).shape->unique; }

bool ArrayPaths::alike(ArrayProgress progress) const {
  const Place at = place(progress);
  return at.index >= at.shape->prefix.size();
}

void ArrayPaths::add_steps(ArrayProgress progress, KeySet seen, std::vector<Step>& steps, bool many) {
  const Place at = place(progress);
  for (Step step : possible_steps(at)) {
    if (viable(step.after) == Truth::no) continue;
    if (at.shape->unique) {
      step.element = forms_.without_elements(step.element, taken(place(step.after), seen));
      if (!many && forms_.inhabited(step.element) == Truth::no) continue;
    }
    steps.push_back(step);
  }
}

// The values that the next element must not have: those that were, and those that are left to few of the elements after it.
std::vector<Key> ArrayPaths::taken(const Place& behind, KeySet seen) {
  std::vector<Key> taken = forms_.keys().members(seen);
  for (const std::vector<Key>& values : scarce_values(behind)) {
    for (const Key value : values)
      if (std::ranges::find(taken, value) == taken.end() && !enough_values(behind, forms_.keys().with(seen, value)))
        taken.push_back(value);
  }
  return taken;
}

// Of the elements that must still come, the values of those that have fewer values than there are elements.
std::vector<std::vector<Key>> ArrayPaths::scarce_values(const Place& at) {
  std::vector<std::vector<Key>> scarce;
  const ArrayShape& shape = *at.shape;
  const auto prefix = static_cast<std::uint32_t>(shape.prefix.size());
  for (std::uint32_t i = at.index; i < shape.min; ++i) {
    forms_.budget().spend();
    if (i > prefix && !scarce.empty() && scarce.size() == i - at.index) {
      scarce.push_back(scarce.back());  // the elements behind the prefix are alike
    } else if (auto values = few_values(forms_, i < prefix ? shape.prefix[i] : shape.rest, shape.min)) {
      scarce.push_back(std::move(*values));
    } else if (i >= prefix) {
      break;
    }
  }
  return scarce;
}

// Whether the elements that must still come can all have values of their own: a matching, by augmenting paths.
bool ArrayPaths::enough_values(const Place& at, KeySet seen) {
  const std::vector<std::vector<Key>> scarce = scarce_values(at);
  std::unordered_map<std::uint32_t, std::size_t> owners;  // of values
  for (std::size_t first = 0; first < scarce.size(); ++first) {
    std::unordered_map<std::uint32_t, bool> tried;
    const auto place_element = [&](const auto& self, std::size_t element) -> bool {
      forms_.budget().spend(scarce[element].size() + 1);
      for (const Key value : scarce[element]) {
        const auto word = static_cast<std::uint32_t>(value);
        if (forms_.keys().contains(seen, value) || std::exchange(tried[word], true)) continue;
        const auto owner = owners.find(word);
        if (owner != owners.end() && !self(self, owner->second)) continue;
        owners[word] = element;
        return true;
      }
      return false;
    };
    if (!place_element(place_element, first)) return false;
  }
  return true;
}

}  // namespace heed::grammar

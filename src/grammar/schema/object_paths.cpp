#include "grammar/schema/object_paths.hpp"

#include <algorithm>
#include <bit>

#include "grammar/schema/normal_forms.hpp"
#include "grammar/schema/regular_sizes.hpp"

namespace heed::grammar {

// The members so far. `marks`: with KeyOrder::any, the indices of all of them; with KeyOrder::schema, only of members in
// implications or of Place::last.
struct ObjectPaths::Progress {
  ObjectId id;
  const ObjectShape* shape;
  std::uint32_t position;  // KeyOrder::schema: members before this index may no longer come, except those of Place::last
  std::uint32_t count;     // keys; capped at the minimum if there is no maximum
  std::uint64_t met;       // a mask of the demands in ObjectShape::some that are met
  std::vector<std::uint32_t> marks;

  bool marked(std::uint32_t index) const { return std::ranges::binary_search(marks, index); }
  void mark(std::uint32_t index) { marks.insert(std::ranges::lower_bound(marks, index), index); }
};

// A possible completion of an object.
struct ObjectPaths::Plan {
  std::vector<bool> chosen;          // by member: it must still come
  std::vector<Term> terms;           // by member: the term of its value
  std::uint64_t met = 0;             // as in Progress
  std::uint64_t count = 0;           // all keys
  std::vector<std::uint64_t> spare;  // by class: the number of unused keys
};

ObjectPaths::Progress ObjectPaths::read(ObjectProgress progress) const {
  const auto words = words_[static_cast<std::uint32_t>(progress)];
  const ObjectId id{words[0]};
  return {id, &forms_.object(id), words[1], words[2], words[3] | std::uint64_t{words[4]} << 32, {words.begin() + 5, words.end()}};
}

ObjectProgress ObjectPaths::intern(const Progress& place) {
  std::vector<std::uint32_t> words{static_cast<std::uint32_t>(place.id), place.position, place.count,
                                   static_cast<std::uint32_t>(place.met), static_cast<std::uint32_t>(place.met >> 32)};
  words.insert(words.end(), place.marks.begin(), place.marks.end());
  return ObjectProgress{words_.intern(words).id};
}

ObjectProgress ObjectPaths::start(ObjectId shape) { return intern({shape, &forms_.object(shape), 0, 0, 0, {}}); }

std::uint32_t ObjectPaths::member_index(const ObjectShape& shape, Key key) const {
  const auto member = std::ranges::find(shape.members, key, &Member::key);
  return static_cast<std::uint32_t>(member - shape.members.begin());
}

bool ObjectPaths::unlimited(ObjectId id) {
  const ObjectShape& shape = forms_.object(id);
  if (shape.max != kNoLimit || shape.rules.size() > 1 || forms_.inhabited(id) != Truth::yes) return false;
  return shape.rules.empty() ||
         (shape.rules[0].keys == forms_.spellings().canonical_strings() && forms_.inhabited(shape.rules[0].term) == Truth::yes);
}

std::vector<OtherKeys> ObjectPaths::other_keys(ObjectId shape) {
  std::vector<OtherKeys> others;
  const std::vector<KeyClass> classes = key_classes(shape);
  for (const KeyClass& one : classes)
    if (forms_.inhabited(one.term) != Truth::no) others.push_back({one.keys, one.term});
  return others;
}

bool ObjectPaths::is_member(ObjectProgress progress, Key key) {
  const Progress at = read(progress);
  return member_index(*at.shape, key) < at.shape->members.size();
}

// Whether continuing at `end` would skip a required member.
bool ObjectPaths::passes_required(const Progress& at, std::uint32_t end) const {
  for (std::uint32_t i = at.position; i < end && !free(at, i); ++i)
    if (at.shape->members[i].required) return true;
  return false;
}

bool ObjectPaths::free(const Progress& at, std::uint32_t index) const {
  return order_ == KeyOrder::any || at.shape->members[index].place == Place::last;
}

bool ObjectPaths::available(const Progress& at, std::uint32_t index) const {
  return free(at, index) ? !at.marked(index) : index >= at.position;
}

ObjectPaths::Progress ObjectPaths::after_other(const Progress& place) const {
  Progress after = place;
  while (after.position < place.shape->members.size() && !free(place, after.position)) ++after.position;
  if (place.shape->max != kNoLimit || place.count < place.shape->min) ++after.count;
  return after;
}

ObjectPaths::Progress ObjectPaths::after_member(const Progress& place, std::uint32_t index) const {
  Progress after = after_other(place);
  if (!free(place, index)) after.position = index + 1;
  const Key key = place.shape->members[index].key;
  const auto concerns = [&](const Implied& implied) { return implied.present == key || implied.required == key; };
  if (free(place, index) || std::ranges::any_of(place.shape->implied, concerns)) after.mark(index);
  return after;
}

std::vector<ObjectPaths::KeyClass>& ObjectPaths::key_classes(ObjectId id) {
  const auto index = static_cast<std::uint32_t>(id);
  if (classes_.size() <= index) classes_.resize(index + 1), classes_known_.resize(index + 1);
  if (classes_known_[index]) return classes_[index];
  const ObjectShape& shape = forms_.object(id);
  RegularPool& pool = forms_.pool();
  const Regular all = forms_.spellings().canonical_strings();
  std::vector<KeyClass> classes;
  std::vector<Regular> sets;
  Regular others = all;  // the keys in no class
  // Splits sets only where they overlap: most are disjoint and stay simple expressions.
  const auto split = [&](Regular keys, Term term, std::uint64_t some) {
    if (pool.is_nothing(keys)) return;
    if (keys == others) {  // for example additionalProperties, the complement of patternProperties
      classes.push_back({keys, term, some});
      others = Regular::kNothing;
      return;
    }
    std::vector<KeyClass> split;
    std::vector<Regular> left{keys};  // the intersection is the part of `keys` in no class yet
    for (const KeyClass& key_class : classes) {
      const Regular inside = key_class.keys == keys ? keys : pool.all_of({key_class.keys, keys});
      if (pool.is_nothing(inside)) {
        split.push_back(key_class);
        continue;
      }
      split.push_back({inside, forms_.terms().both(key_class.term, term), key_class.some | some});
      left.push_back(pool.complement(key_class.keys));
      if (key_class.keys == keys) continue;
      const Regular outside = pool.all_of({key_class.keys, pool.complement(keys)});
      if (!pool.is_nothing(outside)) split.push_back({outside, key_class.term, key_class.some});
    }
    const Regular apart = pool.all_of(left);
    if (!pool.is_nothing(apart)) split.push_back({apart, term, some});
    classes = std::move(split);
    sets.push_back(keys);
    if (others != Regular::kNothing)
      others = keys == all ? Regular::kNothing : pool.all_of({all, pool.complement(pool.any_of(sets))});
  };
  for (const OtherKeys& rule : shape.rules) split(rule.keys, rule.term, 0);
  for (std::size_t i = 0; i < shape.some.size(); ++i) split(shape.some[i].keys, Term::kAny, std::uint64_t{1} << i);
  if (!pool.is_nothing(others)) classes.push_back({others, Term::kAny, 0});
  std::erase_if(classes, [](const KeyClass& key_class) { return key_class.term == Term::kNone; });
  if (!shape.members.empty() && !classes.empty()) {
    std::vector<Regular> texts;
    texts.reserve(shape.members.size());
    for (const Member& member : shape.members) texts.push_back(forms_.key_text(member.key));
    const Regular members = pool.any_of(texts);
    const Regular no_members = pool.complement(members);
    for (KeyClass& key_class : classes)
      if (!pool.is_nothing(pool.all_of({key_class.keys, members}))) key_class.keys = pool.all_of({key_class.keys, no_members});
    std::erase_if(classes, [&](const KeyClass& key_class) { return pool.is_nothing(key_class.keys); });
  }
  classes_[index] = std::move(classes);
  classes_known_[index] = true;
  return classes_[index];
}

Regular ObjectPaths::unseen(Regular keys, KeySet seen) {
  if (seen == KeySet::kNone) return keys;
  std::vector<Regular> texts;
  for (const Key key : forms_.keys().members(seen)) texts.push_back(forms_.key_text(key));
  RegularPool& pool = forms_.pool();
  return pool.all_of({keys, pool.complement(pool.any_of(texts))});
}

// The number of unused keys of a class, at most `limit`.
std::uint64_t ObjectPaths::count_unseen(ObjectId shape, std::uint32_t index, KeySet seen, std::uint64_t limit) {
  KeyClass& key_class = key_classes(shape)[index];
  const std::uint64_t enough = limit + forms_.keys().count(seen);
  if (key_class.count == key_class.counted_to && key_class.count < enough) {
    key_class.count = count_texts(forms_.pool(), key_class.keys, enough, forms_.budget());
    key_class.counted_to = enough;
  }
  std::uint64_t left = key_class.count;
  if (left < enough) {
    forms_.budget().spend(1 + forms_.keys().count(seen));
    for (const Key key : forms_.keys().members(seen)) left -= meets(key, key_class.keys) ? 1 : 0;
  }
  return std::min(left, limit);
}

bool ObjectPaths::may_end(ObjectProgress progress) {
  const Progress at = read(progress);
  const ObjectShape& shape = *at.shape;
  if (at.count < shape.min || static_cast<std::size_t>(std::popcount(at.met)) < shape.some.size()) return false;
  for (std::uint32_t i = 0; i < shape.members.size(); ++i)
    if (shape.members[i].required && available(at, i)) return false;
  return std::ranges::none_of(shape.implied, [&](const Implied& implied) {
    return at.marked(member_index(shape, implied.present)) && !at.marked(member_index(shape, implied.required));
  });
}

Regular ObjectPaths::member_keys(ObjectProgress progress, KeySet seen) {
  const Progress at = read(progress);
  const ObjectShape& shape = *at.shape;
  std::vector<Regular> keys;
  std::vector<Step> steps;
  for (std::uint32_t i = at.position; i < shape.members.size(); ++i) {
    if (available(at, i)) {
      steps.clear();
      add_member_steps(at, seen, i, steps);
      if (!steps.empty()) keys.push_back(forms_.key_text(shape.members[i].key));
    }
    if (!free(at, i) && shape.members[i].required) break;
  }
  return forms_.pool().any_of(keys);
}

Regular ObjectPaths::keys(ObjectProgress progress, KeySet seen) {
  const Progress at = read(progress);
  std::vector<Regular> keys{member_keys(progress, seen)};
  std::vector<Step> steps;
  if (!passes_required(at, static_cast<std::uint32_t>(at.shape->members.size()))) {
    const std::vector<KeyClass> classes = key_classes(at.id);
    for (std::uint32_t c = 0; c < classes.size(); ++c) {
      if (forms_.inhabited(classes[c].term) == Truth::no) continue;
      steps.clear();
      add_step(after_other(at), classes[c].term, classes[c].some, seen, c, steps);
      const Regular left = unseen(classes[c].keys, seen);
      if (!steps.empty() && !forms_.pool().is_nothing(left)) keys.push_back(left);
    }
  }
  return forms_.pool().any_of(keys);
}

bool ObjectPaths::add_other_steps(ObjectProgress progress, KeySet seen, std::vector<OtherKeysStep>& steps) {
  const Progress at = read(progress);
  if (at.shape->counts()) return false;
  if (passes_required(at, static_cast<std::uint32_t>(at.shape->members.size()))) return true;
  const ObjectProgress after = intern(after_other(at));
  const std::vector<KeyClass> classes = key_classes(at.id);
  for (const KeyClass& one : classes)
    if (forms_.inhabited(one.term) != Truth::no) steps.push_back({unseen(one.keys, seen), {one.term, after}});
  return true;
}

// Adds the steps to `next` with a key that may meet the demands `some`.
void ObjectPaths::add_step(const Progress& next, Term value, std::uint64_t some, KeySet seen, std::uint32_t key_class,
                           std::vector<Step>& steps) {
  if (!next.shape->counts()) {
    if (forms_.inhabited(value) != Truth::no) steps.push_back({value, intern(next)});
    return;
  }
  some &= ~next.met;
  for (std::uint64_t meets = some;; meets = (meets - 1) & some) {  // every subset
    forms_.budget().spend();
    std::vector<Term> terms{value};
    for (std::size_t i = 0; i < next.shape->some.size(); ++i)
      if ((meets >> i & 1) != 0) terms.push_back(next.shape->some[i].term);
    const Term both = forms_.terms().both(terms);
    if (forms_.inhabited(both) != Truth::no) {
      Progress place = next;
      place.met |= meets;
      const ObjectProgress after = intern(place);
      if (viable(after, seen, key_class) != Truth::no) steps.push_back({both, after});
    }
    if (meets == 0) return;
  }
}

void ObjectPaths::add_member_steps(const Progress& at, KeySet seen, std::uint32_t index, std::vector<Step>& steps) {
  const ObjectShape& shape = *at.shape;
  if (!available(at, index) || passes_required(at, index)) return;
  std::uint64_t some = 0;
  for (std::size_t i = 0; i < shape.some.size(); ++i)
    if (meets(shape.members[index].key, shape.some[i].keys)) some |= std::uint64_t{1} << i;
  add_step(after_member(at, index), shape.members[index].term, some, seen, kNoLimit, steps);
}

void ObjectPaths::add_steps(ObjectProgress progress, KeySet seen, Key key, std::vector<Step>& steps) {
  const Progress at = read(progress);
  const auto end = static_cast<std::uint32_t>(at.shape->members.size());
  const std::uint32_t index = member_index(*at.shape, key);
  if (index < end) {
    add_member_steps(at, seen, index, steps);
    return;
  }
  if (passes_required(at, end) || forms_.keys().contains(seen, key)) return;
  const std::vector<KeyClass> classes = key_classes(at.id);
  for (const KeyClass& key_class : classes)
    if (meets(key, key_class.keys))
      add_step(after_other(at), key_class.term, key_class.some, forms_.keys().with(seen, key), kNoLimit, steps);
}

bool ObjectPaths::meets(Key key, Regular keys) {
  if (keys == forms_.spellings().canonical_strings()) return true;
  std::string spelled;
  append_json_string(spelled, forms_.keys().text(key));
  return forms_.pool().contains(keys, spelled);
}

// Adds a member, and those that it implies, to the plan; false if that is impossible.
bool ObjectPaths::choose(const Progress& place, Plan& plan, std::uint32_t index) {
  if (plan.chosen[index] || (!available(place, index) && place.marked(index))) return true;
  forms_.budget().spend();
  if (!available(place, index) || forms_.inhabited(plan.terms[index]) == Truth::no) return false;
  plan.chosen[index] = true;
  ++plan.count;
  const ObjectShape& shape = *place.shape;
  return std::ranges::all_of(shape.implied, [&](const Implied& implied) {
    return implied.present != shape.members[index].key || choose(place, plan, member_index(shape, implied.required));
  });
}

Truth ObjectPaths::viable(ObjectProgress progress, KeySet seen, std::uint32_t spent_class) {
  const Progress at = read(progress);
  const ObjectShape& shape = *at.shape;
  if (shape.min > shape.max) return Truth::no;
  Plan plan;
  plan.chosen.resize(shape.members.size());
  for (const Member& member : shape.members) plan.terms.push_back(member.term);
  plan.count = at.count;
  plan.met = at.met;
  for (std::uint32_t i = 0; i < shape.members.size(); ++i)
    if (shape.members[i].required && available(at, i) && !choose(at, plan, i)) return Truth::no;
  for (const Implied& implied : shape.implied)
    if (at.marked(member_index(shape, implied.present)) && !choose(at, plan, member_index(shape, implied.required)))
      return Truth::no;
  const bool keys_matter = plan.count < shape.min || static_cast<std::size_t>(std::popcount(plan.met)) < shape.some.size();
  if (keys_matter) {
    const std::uint64_t limit = shape.min + shape.some.size() + 1;
    const std::vector<KeyClass> classes = key_classes(at.id);
    for (std::uint32_t c = 0; c < classes.size(); ++c) {
      std::uint64_t spare = 0;
      if (forms_.inhabited(classes[c].term) != Truth::no) spare = count_unseen(at.id, c, seen, limit);
      if (c == spent_class && spare > 0 && spare < limit) --spare;
      plan.spare.push_back(spare);
    }
  }
  return meet_some(at, std::move(plan), seen);
}

// Tries each way to meet the first unmet demand of `some`, alone or together with others, recursively; calls `fill` when all are
// met.
Truth ObjectPaths::meet_some(const Progress& place, Plan plan, KeySet seen) {
  forms_.budget().spend(1 + plan.terms.size() / 8);
  const ObjectShape& shape = *place.shape;
  if (plan.count > shape.max) return Truth::no;
  const auto first = static_cast<std::size_t>(std::countr_one(plan.met));
  if (first >= shape.some.size()) return fill(place, std::move(plan));
  Truth best = Truth::no;
  const auto attempt = [&](Plan changed, std::uint64_t met) {
    changed.met |= met;
    best = std::max(best, meet_some(place, std::move(changed), seen));
  };
  // Calls `use` for each subset of `possible` that contains the first demand: with the term of a key that meets the whole subset.
  const auto each_subset = [&](std::uint64_t possible, Term term, const auto& use) {
    const std::uint64_t others = possible & ~plan.met & ~(std::uint64_t{1} << first);
    for (std::uint64_t with = others; best != Truth::yes; with = (with - 1) & others) {
      const std::uint64_t met = with | std::uint64_t{1} << first;
      std::vector<Term> terms{term};
      for (std::size_t i = 0; i < shape.some.size(); ++i)
        if ((met >> i & 1) != 0) terms.push_back(shape.some[i].term);
      const Term both = forms_.terms().both(terms);
      if (forms_.inhabited(both) != Truth::no) use(both, met);
      if (with == 0) return;
    }
  };
  for (std::uint32_t i = 0; i < shape.members.size() && best != Truth::yes; ++i) {
    if (!available(place, i)) continue;
    std::uint64_t possible = 0;
    for (std::size_t s = 0; s < shape.some.size(); ++s)
      if (meets(shape.members[i].key, shape.some[s].keys)) possible |= std::uint64_t{1} << s;
    if ((possible >> first & 1) == 0) continue;
    each_subset(possible, plan.terms[i], [&](Term term, std::uint64_t met) {
      Plan changed = plan;
      changed.terms[i] = term;
      if (choose(place, changed, i)) attempt(std::move(changed), met);
    });
  }
  const std::vector<KeyClass> classes = key_classes(place.id);
  for (std::uint32_t c = 0; c < classes.size() && best != Truth::yes; ++c) {
    if ((classes[c].some >> first & 1) == 0 || plan.spare[c] == 0) continue;
    each_subset(classes[c].some, classes[c].term, [&](Term, std::uint64_t met) {
      Plan changed = plan;
      --changed.spare[c];
      ++changed.count;
      attempt(std::move(changed), met);
    });
  }
  return best;
}

// Whether enough keys can be added to reach the minimum.
Truth ObjectPaths::fill(const Progress& place, Plan plan) {
  const ObjectShape& shape = *place.shape;
  if (plan.count > shape.max) return Truth::no;
  if (plan.count >= shape.min) return Truth::yes;
  for (const std::uint64_t spare : plan.spare) plan.count = std::min<std::uint64_t>(plan.count + spare, shape.min);
  if (plan.count >= shape.min) return Truth::yes;
  Truth best = Truth::no;
  for (std::uint32_t i = 0; i < shape.members.size() && best != Truth::yes; ++i) {
    if (plan.chosen[i] || !available(place, i)) continue;
    Plan changed = plan;
    if (!choose(place, changed, i)) continue;
    if (shape.implied.empty()) {
      plan = std::move(changed);  // without implications, any member will do
      if (plan.count >= shape.min) return Truth::yes;
    } else {
      best = std::max(best, fill(place, std::move(changed)));
    }
  }
  return best;
}

}  // namespace heed::grammar

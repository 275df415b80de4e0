#include "grammar/schema/normal_forms.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "grammar/schema/number_spellings.hpp"

namespace heed::grammar {
namespace {

constexpr std::uint32_t kMaxDepth = 1'500;   // of the recursion over terms that need each other's normal forms
constexpr std::size_t kManyShapes = 8;       // from this many on, shapes contained in others are dropped
constexpr std::size_t kMaxShapes = 2'000;    // of one normal form
constexpr std::size_t kMaxDemands = 64;      // ObjectShape::some, whose subsets are 64-bit masks
constexpr std::uint32_t kArrays = 1U << 31;  // added to the ids of arrays in Search::depths, to distinguish them from terms

// Sets a value for a scope, and restores it at the end, also after an exception.
template <class T>
class Restored {
 public:
  Restored(T& value, T meanwhile) : value_(value), before_(std::exchange(value, std::move(meanwhile))) {}
  Restored(const Restored&) = delete;
  Restored& operator=(const Restored&) = delete;
  ~Restored() { value_ = std::move(before_); }

 private:
  T& value_;
  T before_;
};

// Spells numbers as JSON.stringify does, and sorts members by key.
void make_canonical(Json& value) {
  if (value.is(Json::Kind::number)) value.text = canonical_number(Decimal(value.text));
  for (Json& item : value.items) make_canonical(item);
  for (JsonMember& member : value.members) make_canonical(member.value);
  std::ranges::sort(value.members, {}, &JsonMember::key);
}

// Thrown if a normal form needs another that is still being made. Caught by the queries of inhabited(), which may stay undecided.
struct Unfinished {};

void refuse_size(const std::string& message) { throw Refusal{"too-large", "", "", message}; }

}  // namespace

NormalForms::NormalForms(Budget& budget, RegularPool& pool, Terms& terms, Keys& keys, Spellings& spellings, KeyOrder order)
    : budget_(budget),
      pool_(pool),
      terms_(terms),
      keys_(keys),
      spellings_(spellings),
      array_words_(budget),
      object_words_(budget),
      array_paths_(*this, budget),
      object_paths_(*this, budget, order) {
  intern(ArrayShape{});
  intern(ObjectShape{});
}

ArrayId NormalForms::intern(ArrayShape shape) {
  while (!shape.prefix.empty() && shape.prefix.back() == shape.rest) shape.prefix.pop_back();
  std::vector<std::uint32_t> words{shape.min, shape.max, shape.unique, static_cast<std::uint32_t>(shape.rest),
                                   static_cast<std::uint32_t>(shape.prefix.size())};
  for (const Term term : shape.prefix) words.push_back(static_cast<std::uint32_t>(term));
  for (const Contained& contained : shape.contained)
    for (const std::uint32_t word : {static_cast<std::uint32_t>(contained.element), contained.from, contained.min, contained.max})
      words.push_back(word);
  const std::uint32_t id = array_words_.intern(words).id;
  if (id == arrays_.size()) {
    arrays_.push_back(std::make_unique<ArrayShape>(std::move(shape)));
    known_arrays_.push_back(Truth::maybe);
  }
  return ArrayId{id};
}

ObjectId NormalForms::intern(ObjectShape shape) {
  if (shape.some.size() > kMaxDemands) refuse_size("negated schemas demand too many keys");
  std::ranges::stable_sort(shape.members, {}, &Member::place);
  std::vector<std::uint32_t> words{shape.min, shape.max};
  const auto add_others = [&](const std::vector<OtherKeys>& others) {
    words.push_back(static_cast<std::uint32_t>(others.size()));
    for (const OtherKeys& other : others)
      for (const std::uint32_t word : {static_cast<std::uint32_t>(other.keys), static_cast<std::uint32_t>(other.term)})
        words.push_back(word);
  };
  words.push_back(static_cast<std::uint32_t>(shape.members.size()));
  for (const Member& member : shape.members)
    for (const std::uint32_t word : {static_cast<std::uint32_t>(member.key), static_cast<std::uint32_t>(member.term),
                                     std::uint32_t{member.required} * 4 + static_cast<std::uint32_t>(member.place)})
      words.push_back(word);
  add_others(shape.rules);
  add_others(shape.some);
  for (const Implied& implied : shape.implied)
    for (const Key key : {implied.present, implied.required}) words.push_back(static_cast<std::uint32_t>(key));
  const std::uint32_t id = object_words_.intern(words).id;
  if (id == objects_.size()) {
    objects_.push_back(std::make_unique<ObjectShape>(std::move(shape)));
    known_objects_.push_back(Truth::maybe);
  }
  return ObjectId{id};
}

Regular NormalForms::key_text(Key key) {
  const auto index = static_cast<std::uint32_t>(key);
  if (key_texts_.size() <= index) key_texts_.resize(index + 1, Regular::kNothing);
  if (key_texts_[index] == Regular::kNothing) key_texts_[index] = spellings_.canonical_string(keys_.text(key));
  return key_texts_[index];
}

Term NormalForms::rules_for(const ObjectShape& shape, Key key) {
  std::vector<Term> terms;
  for (const OtherKeys& rule : shape.rules)
    if (rule.keys == spellings_.canonical_strings() || !pool_.is_nothing(pool_.all_of({key_text(key), rule.keys})))
      terms.push_back(rule.term);
  return terms_.both(terms);
}

Key NormalForms::element(Json value) {
  make_canonical(value);
  const Key key = keys_.key(write_json(value));
  elements_.try_emplace(static_cast<std::uint32_t>(key), std::make_unique<Json>(std::move(value)));
  return key;
}

Term NormalForms::without_elements(Term term, const std::vector<Key>& elements) {
  for (const Key element : elements) {
    const Term value = only(element);
    term = term == value ? Term::kNone : terms_.difference(term, value);
  }
  return term;
}

NormalForms::Form& NormalForms::form(Term term) {
  const auto index = static_cast<std::uint32_t>(term);
  while (forms_.size() <= index) forms_.push_back(std::make_unique<Form>());
  return *forms_[index];
}

const Normal& NormalForms::normal(Term term) {
  Form& form = this->form(term);
  if (form.normal) return *form.normal;
  if (form.being_made) throw Unfinished();
  if (depth_ >= kMaxDepth) refuse_size("subschemas depend on each other more than " + std::to_string(kMaxDepth) + " deep");
  const Restored<bool> made(form.being_made, true);
  const Restored<Search> search(search_, {});
  const Restored<std::uint32_t> depth(depth_, depth_ + 1);
  form.normal = std::make_unique<Normal>(make(term));
  return *form.normal;
}

Normal NormalForms::make(Term term) {
  budget_.spend(4);
  switch (terms_.kind(term)) {
    case Terms::Kind::none: return none();
    case Terms::Kind::any: return any();
    case Terms::Kind::site: return sites_->form(terms_.site_of(term), terms_.closing_of(term));
    case Terms::Kind::value: return make_value(terms_.value_of(term));
    case Terms::Kind::negation: return complement(normal(terms_.operands(term)[0]));
    case Terms::Kind::difference: return difference(terms_.operands(term)[0], terms_.operands(term)[1]);
    case Terms::Kind::both: {
      Normal both = any();
      for (const Term operand : terms_.operands(term)) both = this->both(both, normal(operand));
      return both;
    }
    case Terms::Kind::either: {
      Normal either = none();
      for (const Term operand : terms_.operands(term)) either = this->either(either, normal(operand));
      return either;
    }
  }
  return none();
}

Normal NormalForms::make_value(const Json& value) {
  Normal normal = none();
  if (value.is(Json::Kind::array)) {
    ArrayShape shape;
    for (const Json& item : value.items) shape.prefix.push_back(terms_.value(item));
    shape.rest = Term::kNone;
    shape.min = shape.max = static_cast<std::uint32_t>(value.items.size());
    normal.arrays.push_back(intern(std::move(shape)));
  } else if (value.is(Json::Kind::object)) {
    ObjectShape shape;
    for (const JsonMember& member : value.members)
      shape.members.push_back({keys_.key(member.key), terms_.value(member.value), true, Place::listed});
    shape.rules.push_back({spellings_.canonical_strings(), Term::kNone});
    normal.objects.push_back(intern(std::move(shape)));
  } else {
    normal.scalars = spellings_.value(value);
  }
  return normal;
}

// The values in `from` other than the single value of `value`.
Normal NormalForms::difference(Term from, Term value) {
  Normal left = normal(from);
  const Normal& one = normal(value);
  left.scalars = spellings_.both(left.scalars, spellings_.complement(one.scalars));
  for (const ArrayId id : one.arrays) left.arrays = without(left.arrays, id);
  for (const ObjectId id : one.objects) left.objects = without(left.objects, id);
  return left;
}

Normal NormalForms::both(const Normal& left, const Normal& right) {
  return {spellings_.both(left.scalars, right.scalars), product(left.arrays, right.arrays), product(left.objects, right.objects)};
}

Normal NormalForms::either(const Normal& left, const Normal& right) {
  Normal either = left;
  either.scalars = spellings_.either(left.scalars, right.scalars);
  const auto add = [](auto& shapes, const auto& others) {
    for (const auto id : others)
      if (std::ranges::find(shapes, id) == shapes.end()) shapes.push_back(id);
  };
  add(either.arrays, right.arrays);
  add(either.objects, right.objects);
  return either;
}

// The pairwise intersections, without those known to be empty.
template <class Id>
std::vector<Id> NormalForms::product(const std::vector<Id>& left, const std::vector<Id>& right) {
  const auto any = [](const std::vector<Id>& shapes) { return shapes.size() == 1 && shapes[0] == Id::kAny; };
  if (any(left)) return right;
  if (any(right)) return left;
  std::vector<Id> product;
  for (const Id a : left)
    for (const Id b : right) add(product, both(a, b));
  return product;
}

// Adds a shape unless it is empty. If there are many, drops shapes contained in others.
template <class Id>
void NormalForms::add(std::vector<Id>& shapes, Id shape) {
  budget_.spend(4 + shapes.size());
  if (std::ranges::find(shapes, shape) != shapes.end() || inhabited(shape) == Truth::no) return;
  if (shapes.size() >= kManyShapes) {
    if (std::ranges::any_of(shapes, [&](Id known) { return both(shape, known) == shape; })) return;
    std::erase_if(shapes, [&](Id known) { return both(known, shape) == known; });
  }
  if (shapes.size() >= kMaxShapes) refuse_size("more than " + std::to_string(kMaxShapes) + " alternatives at one place");
  shapes.push_back(shape);
}

// shapes \ other. A shape disjoint from `other` stays as it is.
template <class Id>
std::vector<Id> NormalForms::without(const std::vector<Id>& shapes, Id other) {
  std::vector<Id> left, outside;
  for (const Id shape : shapes) {
    if (inhabited(both(shape, other)) == Truth::no) {
      add(left, shape);
      continue;
    }
    if (outside.empty()) outside = complement(other);
    for (const Id one : outside) add(left, both(shape, one));
  }
  return left;
}

ArrayId NormalForms::both(ArrayId left, ArrayId right) {
  if (left == right || right == ArrayId::kAny) return left;
  if (left == ArrayId::kAny) return right;
  const ArrayShape &a = array(left), &b = array(right);
  ArrayShape shape;
  const auto at = [](const ArrayShape& of, std::size_t i) { return i < of.prefix.size() ? of.prefix[i] : of.rest; };
  for (std::size_t i = 0; i < std::max(a.prefix.size(), b.prefix.size()); ++i)
    shape.prefix.push_back(terms_.both(at(a, i), at(b, i)));
  shape.rest = terms_.both(a.rest, b.rest);
  shape.min = std::max(a.min, b.min);
  shape.max = std::min(a.max, b.max);
  shape.contained = a.contained;
  for (const Contained& contained : b.contained)
    if (std::ranges::find(shape.contained, contained) == shape.contained.end()) shape.contained.push_back(contained);
  shape.unique = a.unique || b.unique;
  return intern(std::move(shape));
}

ObjectId NormalForms::both(ObjectId left, ObjectId right) {
  if (left == right || right == ObjectId::kAny) return left;
  if (left == ObjectId::kAny) return right;
  const ObjectShape &a = object(left), &b = object(right);
  budget_.spend(4 + a.members.size() + b.members.size());
  ObjectShape shape;
  std::unordered_map<std::uint32_t, std::size_t> places;  // of keys in shape.members
  for (const Member& member : a.members) {
    places[static_cast<std::uint32_t>(member.key)] = shape.members.size();
    shape.members.push_back(member);
  }
  std::vector<bool> joined(a.members.size());
  for (const Member& member : b.members) {
    const auto known = places.find(static_cast<std::uint32_t>(member.key));
    if (known == places.end()) {
      shape.members.push_back(member);
      shape.members.back().term = terms_.both(rules_for(a, member.key), member.term);
    } else {
      Member& into = shape.members[known->second];
      joined[known->second] = true;
      into.term = terms_.both(into.term, member.term);
      into.required |= member.required;
      if (member.place < into.place) {  // its place is determined by the second shape
        Member moved = into;
        moved.place = member.place;
        into.key = Key{kNoLimit};
        shape.members.push_back(moved);
      }
    }
  }
  for (std::size_t i = 0; i < a.members.size(); ++i)
    if (!joined[i]) shape.members[i].term = terms_.both(shape.members[i].term, rules_for(b, shape.members[i].key));
  std::erase_if(shape.members, [](const Member& member) { return member.key == Key{kNoLimit}; });
  const auto join = [](auto into, const auto& from) {
    for (const auto& other : from)
      if (std::ranges::find(into, other) == into.end()) into.push_back(other);
    return into;
  };
  shape.rules = join(a.rules, b.rules);
  shape.some = join(a.some, b.some);
  shape.implied = join(a.implied, b.implied);
  shape.min = std::max(a.min, b.min);
  shape.max = std::min(a.max, b.max);
  return intern(std::move(shape));
}

Normal NormalForms::complement(const Normal& normal) {
  Normal complement{spellings_.complement(normal.scalars), {ArrayId::kAny}, {ObjectId::kAny}};
  for (const ArrayId id : normal.arrays) complement.arrays = without(complement.arrays, id);
  for (const ObjectId id : normal.objects) complement.objects = without(complement.objects, id);
  return complement;
}

// One alternative per violated demand. For fixed lists, such as constants, the alternatives are disjoint (all elements before the
// violation match), so that few remain when more constants are excluded.
std::vector<ArrayId> NormalForms::complement(ArrayId id) {
  const ArrayShape shape = array(id);
  if (shape.min == shape.max && shape.min == shape.prefix.size() && shape.contained.empty() && !shape.unique)
    return complement_of_list(shape);
  if (shape.unique) throw Refusal{"unsupported", "uniqueItems", "", "uniqueItems cannot be negated"};
  std::vector<ArrayId> shapes;
  for (std::size_t i = 0; i < shape.prefix.size(); ++i) {
    if (shape.prefix[i] == Term::kAny) continue;
    ArrayShape other;
    other.prefix.resize(i + 1, Term::kAny);
    other.prefix[i] = terms_.negation(shape.prefix[i]);
    other.min = static_cast<std::uint32_t>(i + 1);
    shapes.push_back(intern(std::move(other)));
  }
  const auto length = static_cast<std::uint32_t>(shape.prefix.size());
  const auto contains = [&](Contained contained) {
    ArrayShape other;
    other.contained.push_back(contained);
    shapes.push_back(intern(std::move(other)));
  };
  if (shape.rest == Term::kNone) {
    ArrayShape other;
    other.min = length + 1;
    shapes.push_back(intern(std::move(other)));
  } else if (shape.rest != Term::kAny) {
    contains({terms_.negation(shape.rest), length, 1, kNoLimit});
  }
  if (shape.min > 0) {
    ArrayShape other;
    other.max = shape.min - 1;
    shapes.push_back(intern(std::move(other)));
  }
  if (shape.max != kNoLimit) {
    ArrayShape other;
    other.min = shape.max + 1;
    shapes.push_back(intern(std::move(other)));
  }
  for (const Contained& contained : shape.contained) {
    if (contained.min > 0) contains({contained.element, contained.from, 0, contained.min - 1});
    if (contained.max != kNoLimit) contains({contained.element, contained.from, contained.max + 1, kNoLimit});
  }
  return shapes;
}

std::vector<ArrayId> NormalForms::complement_of_list(const ArrayShape& list) {
  std::vector<ArrayId> shapes;
  ArrayShape same;  // the list's elements so far
  for (std::uint32_t i = 0; i < list.min; ++i) {
    ArrayShape shorter = same, other = same;
    shorter.min = shorter.max = i;
    shapes.push_back(intern(std::move(shorter)));
    other.prefix.push_back(terms_.negation(list.prefix[i]));
    other.min = i + 1;
    if (other.prefix.back() != Term::kNone) shapes.push_back(intern(std::move(other)));
    same.prefix.push_back(list.prefix[i]);
  }
  same.min = list.min + 1;
  shapes.push_back(intern(std::move(same)));
  return shapes;
}

// The complement of an object with exactly these members.
std::vector<ObjectId> NormalForms::complement_of_members(const ObjectShape& object) {
  std::vector<ObjectId> shapes;
  ObjectShape same;
  for (const Member& member : object.members) {
    ObjectShape absent = same, other = same;
    absent.members.push_back({member.key, Term::kNone});
    shapes.push_back(intern(std::move(absent)));
    other.members.push_back({member.key, terms_.negation(member.term), true});
    if (other.members.back().term != Term::kNone) shapes.push_back(intern(std::move(other)));
    same.members.push_back({member.key, member.term, true});
  }
  same.min = static_cast<std::uint32_t>(object.members.size() + 1);
  shapes.push_back(intern(std::move(same)));
  return shapes;
}

std::vector<ObjectId> NormalForms::complement(ObjectId id) {
  const ObjectShape shape = object(id);
  const bool closed = shape.rules.size() == 1 && shape.rules[0] == OtherKeys{spellings_.canonical_strings(), Term::kNone};
  if (closed && std::ranges::all_of(shape.members, &Member::required) && !shape.counts()) return complement_of_members(shape);
  std::vector<ObjectId> shapes;
  const auto add = [&](ObjectShape other) { shapes.push_back(intern(std::move(other))); };
  const auto with_members = [&](std::initializer_list<Member> members) {
    ObjectShape other;
    other.members = members;
    add(std::move(other));
  };
  for (const Member& member : shape.members) {
    if (member.required) with_members({{member.key, Term::kNone}});
    if (member.term != Term::kAny) with_members({{member.key, terms_.negation(member.term), true}});
  }
  if (!shape.rules.empty()) {
    std::vector<Regular> members;
    members.reserve(shape.members.size());
    for (const Member& member : shape.members) members.push_back(key_text(member.key));
    const Regular others = pool_.complement(pool_.any_of(members));
    for (const OtherKeys& rule : shape.rules) {
      ObjectShape other;
      other.some.push_back({members.empty() ? rule.keys : pool_.all_of({rule.keys, others}), terms_.negation(rule.term)});
      add(std::move(other));
    }
  }
  for (const OtherKeys& some : shape.some) {
    ObjectShape other;
    other.rules.push_back({some.keys, terms_.negation(some.term)});
    add(std::move(other));
  }
  for (const Implied& implied : shape.implied) with_members({{implied.present, Term::kAny, true}, {implied.required, Term::kNone}});
  if (shape.min > 0) {
    ObjectShape other;
    other.max = shape.min - 1;
    add(std::move(other));
  }
  if (shape.max != kNoLimit) {
    ObjectShape other;
    other.min = shape.max + 1;
    add(std::move(other));
  }
  return shapes;
}

// Each shape minus the shapes of all other branches. Branches that differ in a tag or a type are disjoint already.
template <class Id>
std::vector<Id> NormalForms::one_of(const std::vector<Normal>& branches, std::vector<Id> Normal::* shapes) {
  std::vector<Id> result;
  for (std::size_t i = 0; i < branches.size(); ++i) {
    for (const Id id : branches[i].*shapes) {
      std::vector<Id> left{id};
      for (std::size_t j = 0; j < branches.size() && !left.empty(); ++j)
        if (j != i)
          for (const Id other : branches[j].*shapes) left = without(left, other);
      for (const Id one : left) add(result, one);
    }
  }
  return result;
}

Normal NormalForms::one_of(const std::vector<Normal>& branches) {
  std::vector<Scalars> scalars;
  scalars.reserve(branches.size());
  for (const Normal& branch : branches) scalars.push_back(branch.scalars);
  return {spellings_.one_of(scalars), one_of(branches, &Normal::arrays), one_of(branches, &Normal::objects)};
}

// Caches the answer of `decide` in known[index]. Inhabitedness is a least fixpoint, so a query nested in itself counts as `no`. A
// `no` that relies on such an assumption is not cached here.
template <class Decide>
Truth NormalForms::settle(std::vector<Truth>& known, std::uint32_t index, Decide decide) {
  if (known[index] != Truth::maybe) return known[index];
  const std::uint32_t outer = std::exchange(search_.relied_on, kNoLimit);
  Truth truth = Truth::maybe;
  try {
    truth = decide();
  } catch (const Unfinished&) {  // maybe
  }
  if (truth == Truth::yes || (truth == Truth::no && search_.relied_on == kNoLimit)) known[index] = truth;
  search_.relied_on = truth == Truth::yes ? outer : std::min(outer, search_.relied_on);
  return truth;
}

// Runs the query `decide`, identified by `word`, which counts as `no` while it is active. Stores the answer in `known` if it does
// not rely on an outer query.
template <class Decide>
Truth NormalForms::visit(std::uint32_t word, Truth& known, Decide decide) {
  if (const auto visited = search_.depths.find(word); visited != search_.depths.end()) {
    search_.relied_on = std::min(search_.relied_on, visited->second);
    return Truth::no;
  }
  if (search_.depths.size() >= kMaxDepth) refuse_size("values must nest more than " + std::to_string(kMaxDepth) + " deep");
  const auto depth = static_cast<std::uint32_t>(search_.depths.size());
  const std::uint32_t outer = std::exchange(search_.relied_on, kNoLimit);
  search_.depths.emplace(word, depth);
  Truth truth = Truth::maybe;
  try {
    truth = decide();
  } catch (const Unfinished&) {  // maybe
  } catch (...) {
    search_ = {};
    throw;
  }
  search_.depths.erase(word);
  const std::uint32_t relied_on = search_.relied_on < depth ? search_.relied_on : kNoLimit;
  if (truth == Truth::yes || (truth == Truth::no && relied_on == kNoLimit)) known = truth;
  search_.relied_on = truth == Truth::yes ? outer : std::min(outer, relied_on);
  return truth;
}

// If elements must differ, the query enumerates their values, which may contain the array itself.
Truth NormalForms::inhabited(ArrayId id) {
  const auto index = static_cast<std::uint32_t>(id);
  const auto viable = [&] { return array_paths_.viable(array_paths_.start(id)); };
  if (!array(id).unique) return settle(known_arrays_, index, viable);
  if (known_arrays_[index] != Truth::maybe) return known_arrays_[index];
  Truth known = Truth::maybe;
  const Truth truth = visit(kArrays + index, known, viable);
  if (known != Truth::maybe) known_arrays_[index] = known;
  return truth;
}

Truth NormalForms::inhabited(ObjectId id) {
  return settle(known_objects_, static_cast<std::uint32_t>(id),
                [&] { return object_paths_.viable(object_paths_.start(id), KeySet::kNone); });
}

Truth NormalForms::inhabited(Term term) {
  if (term == Term::kNone) return Truth::no;
  if (term == Term::kAny) return Truth::yes;
  Form& form = this->form(term);
  if (form.inhabited != Truth::maybe) return form.inhabited;
  if (form.being_made) return Truth::maybe;
  budget_.spend();
  try {
    this->normal(term);
  } catch (const Unfinished&) {
    return Truth::maybe;
  }
  return visit(static_cast<std::uint32_t>(term), form.inhabited, [&] {
    try {
      return decide(*form.normal);
    } catch (Refusal& refusal) {
      if (refusal.path.empty() && terms_.kind(term) == Terms::Kind::site) refusal.path = sites_->path(terms_.site_of(term));
      throw;
    }
  });
}

Truth NormalForms::decide(const Normal& normal) {
  if (!spellings_.empty(normal.scalars)) return Truth::yes;
  Truth truth = Truth::no;
  for (const ArrayId id : normal.arrays)
    if (truth != Truth::yes) truth = std::max(truth, inhabited(id));
  for (const ObjectId id : normal.objects)
    if (truth != Truth::yes) truth = std::max(truth, inhabited(id));
  return truth;
}

}  // namespace heed::grammar

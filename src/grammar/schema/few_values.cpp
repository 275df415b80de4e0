#include "grammar/schema/few_values.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "grammar/schema/regular_sizes.hpp"

namespace heed::grammar {
namespace {

using Values = std::optional<std::vector<Json>>;

constexpr std::size_t kMaxNesting = 16;
constexpr std::size_t kSpellings = 8;         // spellings of a value, on average
constexpr std::size_t kMostValues = 1 << 28;  // more than any text has
constexpr std::size_t kMostOthers = 4096;     // candidates, if demands may exclude most of them

class FewValues {
 public:
  FewValues(NormalForms& forms, std::size_t limit) : forms_(forms), most_(std::min(limit, kMostValues) * kSpellings) {}

  /// False if the result may be a superset of the term's values.
  bool exact() const { return exact_; }

  Values of(Term term, std::size_t level) {
    if (level > kMaxNesting) return std::nullopt;
    const Normal& normal = forms_.normal(term);
    std::vector<Json> values;
    if (!add_scalars(normal.scalars, values)) return std::nullopt;
    for (const ArrayId id : normal.arrays)
      if (forms_.inhabited(id) != Truth::no && !add_arrays(id, level, values)) return std::nullopt;
    for (const ObjectId id : normal.objects)
      if (forms_.inhabited(id) != Truth::no && !add_objects(id, level, values)) return std::nullopt;
    return values;
  }

 private:
  struct List {
    Json value;
    ArrayProgress progress{};
  };

  bool add_scalars(const Scalars& scalars, std::vector<Json>& values) {
    RegularPool& pool = forms_.pool();
    const Regular zeros = pool.repeat(pool.literal("0"), 1, std::nullopt);
    const Regular digits = pool.repeat(pool.bytes(ByteSet::range('0', '9')), 0, std::nullopt);
    const Regular more_zeros = pool.concat({pool.optional(pool.literal("-")), digits, pool.literal("."), digits, zeros});
    const Regular texts = pool.all_of({scalars.texts, forms_.spellings().all().values,
                                       pool.complement(pool.any_of({more_zeros, pool.literal("-0")}))});
    const auto found = texts_of(pool, texts, most_, forms_.budget());
    if (!found) return false;
    for (const std::string& text : *found) values.push_back(read_json(text, forms_.budget()));
    return values.size() <= most_;
  }

  bool add_arrays(ArrayId id, std::size_t level, std::vector<Json>& values) {
    ArrayShape shape = forms_.array(id);
    const bool unique = std::exchange(shape.unique, false);
    if (!shape.contained.empty()) look_at_more();
    const bool endless = shape.max == kNoLimit && !unique && shape.contained.empty();
    ArrayPaths& paths = forms_.array_paths();
    std::vector<List> lists(1);  // all lists of the current length
    lists[0].value.kind = Json::Kind::array;
    lists[0].progress = paths.start(forms_.intern(shape));
    std::vector<ArrayPaths::Step> steps;
    for (std::size_t length = 0; !lists.empty(); ++length) {
      std::vector<List> longer;
      Term known = Term::kNone;
      Values elements;
      for (const List& list : lists) {
        if (paths.may_end(list.progress)) values.push_back(list.value);
        steps.clear();
        paths.add_steps(list.progress, KeySet::kNone, steps);
        if (!steps.empty() && endless && length >= shape.prefix.size()) return false;
        for (const auto& [term, after] : steps) {
          if (term != std::exchange(known, term)) elements = of(term, level + 1);
          if (!elements) return false;
          for (const Json& element : *elements) {
            forms_.budget().spend(16 + 4 * list.value.items.size());
            if (unique && has(list.value, forms_.element(element))) continue;
            longer.push_back(list);
            longer.back().progress = after;
            longer.back().value.items.push_back(element);
            if (longer.size() + values.size() > most_) return false;
          }
        }
      }
      lists = std::move(longer);
    }
    return true;
  }

  bool has(const Json& list, Key element) {
    return std::ranges::any_of(list.items, [&](const Json& item) { return forms_.element(item) == element; });
  }

  bool add_objects(ObjectId id, std::size_t level, std::vector<Json>& values) {
    const ObjectShape& shape = forms_.object(id);
    if (shape.counts()) look_at_more(), exact_ = false;
    std::vector<Json> objects(1);
    objects[0].kind = Json::Kind::object;
    // `with`: the shape, restricted to objects that have the key.
    const auto add_member = [&](const std::string& key, Term term, bool required, const ObjectShape& with) {
      if (shape.counts() && forms_.inhabited(forms_.intern(with)) == Truth::no) return true;
      if (forms_.inhabited(term) == Truth::no) return true;
      const Values members = of(term, level + 1);
      if (!members) return false;
      std::vector<Json> longer = product(objects, *members,
                                         [&](Json& object, const Json& value) { object.members.push_back({key, value}); });
      if (!required) longer.insert(longer.end(), objects.begin(), objects.end());
      objects = std::move(longer);
      return objects.size() <= most_;
    };
    for (std::size_t i = 0; i < shape.members.size(); ++i) {
      const Member& member = shape.members[i];
      ObjectShape with = shape;
      with.members[i].required = true;
      if (!add_member(forms_.keys().text(member.key), member.term, member.required, with)) return false;
    }
    for (const OtherKeys& others : forms_.object_paths().other_keys(id)) {
      ObjectShape with = shape;
      with.some.push_back(others);
      if (shape.counts() && forms_.inhabited(forms_.intern(with)) == Truth::no) continue;
      const auto texts = texts_of(forms_.pool(), others.keys, most_, forms_.budget());
      if (!texts) return false;
      for (const std::string& text : *texts)
        if (!add_member(read_json(text, forms_.budget()).text, others.term, false, with)) return false;
    }
    values.insert(values.end(), objects.begin(), objects.end());
    return values.size() <= most_;
  }

  // Raises the limit of candidates, because counts may exclude most of them.
  void look_at_more() { most_ = std::max(most_, kMostOthers); }

  template <class Add>
  std::vector<Json> product(const std::vector<Json>& wholes, const std::vector<Json>& parts, Add add) {
    std::vector<Json> product;
    for (const Json& whole : wholes) {
      for (const Json& part : parts) {
        forms_.budget().spend(16 + 4 * (whole.items.size() + whole.members.size()));
        if (product.size() > most_) return product;
        add(product.emplace_back(whole), part);
      }
    }
    return product;
  }

  NormalForms& forms_;
  std::size_t most_;
  bool exact_ = true;
};

}  // namespace

std::optional<std::vector<Key>> few_values(NormalForms& forms, Term term, std::size_t limit) {
  FewValues few(forms, limit);
  Values values = few.of(term, 0);
  if (!values) return std::nullopt;
  std::vector<Key> keys;
  for (Json& value : *values) {
    const Key key = forms.element(std::move(value));
    if (std::ranges::find(keys, key) != keys.end()) continue;
    if (!few.exact() && forms.inhabited(forms.terms().both(term, forms.only(key))) == Truth::no) continue;
    keys.push_back(key);
    if (keys.size() > limit) return std::nullopt;
  }
  return keys;
}

}  // namespace heed::grammar

#include "grammar/schema/few_values.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "grammar/schema/regular_sizes.hpp"

namespace heed::grammar {
namespace {

using Values = std::optional<std::vector<Json>>;

constexpr std::size_t kMaxNesting = 16;
constexpr std::size_t kSpellings = 8;  // that a value may have, on average

class FewValues {
 public:
  FewValues(NormalForms& forms, std::size_t limit) : forms_(forms), limit_(limit) {}

  Values of(Term term, std::size_t level) {
    if (level > kMaxNesting) return std::nullopt;
    const Normal& normal = forms_.normal(term);
    std::vector<Json> values;
    if (!add_scalars(normal.scalars, values)) return std::nullopt;
    for (const ArrayId id : normal.arrays)
      if (forms_.inhabited(id) != Truth::no && !add_arrays(forms_.array(id), level, values)) return std::nullopt;
    for (const ObjectId id : normal.objects)
      if (forms_.inhabited(id) != Truth::no && !add_objects(id, level, values)) return std::nullopt;
    return values;
  }

 private:
  bool add_scalars(const Scalars& scalars, std::vector<Json>& values) {
    RegularPool& pool = forms_.pool();
    const Regular zeros = pool.repeat(pool.literal("0"), 1, std::nullopt);
    const Regular digits = pool.repeat(pool.bytes(ByteSet::range('0', '9')), 0, std::nullopt);
    const Regular more_zeros = pool.concat({pool.optional(pool.literal("-")), digits, pool.literal("."), digits, zeros});
    const Regular texts = pool.all_of({scalars.texts, forms_.spellings().all().values,
                                       pool.complement(pool.any_of({more_zeros, pool.literal("-0")}))});
    const auto found = texts_of(pool, texts, limit_ * kSpellings, forms_.budget());
    if (!found) return false;
    for (const std::string& text : *found) values.push_back(read_json(text, forms_.budget()));
    return values.size() <= limit_ * kSpellings;
  }

  bool add_arrays(const ArrayShape& shape, std::size_t level, std::vector<Json>& values) {
    if (shape.unique || !shape.contained.empty()) return false;
    std::vector<Json> lists(1);  // of the length so far
    lists[0].kind = Json::Kind::array;
    for (std::uint32_t length = 0;; ++length) {
      if (length >= shape.min) values.insert(values.end(), lists.begin(), lists.end());
      if (values.size() > limit_ * kSpellings || lists.size() > limit_ * kSpellings) return false;
      const Term next = length < shape.prefix.size() ? shape.prefix[length] : shape.rest;
      if (length >= shape.max || lists.empty() || forms_.inhabited(next) == Truth::no) return true;
      const Values elements = of(next, level + 1);
      if (!elements) return false;
      lists = product(lists, *elements, [](Json& list, const Json& element) { list.items.push_back(element); });
    }
  }

  bool add_objects(ObjectId id, std::size_t level, std::vector<Json>& values) {
    const ObjectShape& shape = forms_.object(id);
    if (shape.counts() || forms_.object_paths().other_keys(id)) return false;
    std::vector<Json> objects(1);
    objects[0].kind = Json::Kind::object;
    for (const Member& member : shape.members) {
      if (forms_.inhabited(member.term) == Truth::no) continue;
      const Values members = of(member.term, level + 1);
      if (!members) return false;
      std::vector<Json> with = product(objects, *members, [&](Json& object, const Json& value) {
        object.members.push_back({forms_.keys().text(member.key), value});
      });
      if (!member.required) with.insert(with.end(), objects.begin(), objects.end());
      if (with.size() > limit_ * kSpellings) return false;
      objects = std::move(with);
    }
    values.insert(values.end(), objects.begin(), objects.end());
    return values.size() <= limit_ * kSpellings;
  }

  template <class Add>
  std::vector<Json> product(const std::vector<Json>& wholes, const std::vector<Json>& parts, Add add) {
    std::vector<Json> product;
    for (const Json& whole : wholes) {
      for (const Json& part : parts) {
        forms_.budget().spend(16);
        if (product.size() > limit_ * kSpellings) return product;
        add(product.emplace_back(whole), part);
      }
    }
    return product;
  }

  NormalForms& forms_;
  std::size_t limit_;
};

}  // namespace

std::optional<std::vector<Key>> few_values(NormalForms& forms, Term term, std::size_t limit) {
  Values values = FewValues(forms, limit).of(term, 0);
  if (!values) return std::nullopt;
  std::vector<Key> keys;
  for (Json& value : *values) {
    const Key key = forms.element(std::move(value));
    if (std::ranges::find(keys, key) == keys.end()) keys.push_back(key);
    if (keys.size() > limit) return std::nullopt;
  }
  return keys;
}

}  // namespace heed::grammar

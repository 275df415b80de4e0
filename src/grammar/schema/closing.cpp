// Closed::listed: if a schema lists the keys of an object, no others are allowed, because small models that may write any key tend
// not to stop. Schemas with keywords about unlisted keys stay open. The lists of all subschemas that apply to one value are united.
#include <algorithm>
#include <array>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "grammar/schema/keywords.hpp"
#include "grammar/schema/reading.hpp"

namespace heed::grammar {
namespace {

/// Keywords about keys that the schema does not list, or whose keys are not known here.
constexpr std::array<std::string_view, 6> kWordsOfOthers = {"$dynamicRef",       "$recursiveRef", "additionalProperties",
                                                            "patternProperties", "propertyNames", "unevaluatedProperties"};
/// Keywords of objects, and those that apply subschemas to the same value.
constexpr std::array<std::string_view, 4> kWordsOfObjects = {"dependentRequired", "minProperties", "properties", "required"};
constexpr std::array<std::string_view, 8> kOtherApplicators = {"$dynamicRef",      "$recursiveRef", "const", "dependencies",
                                                               "dependentSchemas", "enum",          "if",    "not"};
constexpr std::array<std::string_view, 4> kApplicators = {"$ref", "allOf", "anyOf", "oneOf"};

template <std::size_t n>
std::size_t count_of(const Json& schema, const std::array<std::string_view, n>& words) {
  return static_cast<std::size_t>(std::ranges::count_if(words,
                                                        [&](std::string_view word) { return schema.find(word) != nullptr; }));
}

bool is_object(const Json& value) { return value.is(Json::Kind::object); }
bool gives_objects(const Json& schema) {
  const Json *value = schema.find("const"), *values = schema.find("enum");
  return (value && is_object(*value)) || (values && std::ranges::any_of(values->items, is_object));
}

}  // namespace

struct Keywords::Listed {
  std::vector<Key> keys;
  bool any = false;         // some subschema has "properties"
  std::uint32_t least = 0;  // the largest minProperties
  std::unordered_set<std::uint32_t> read;
};

// Adds the keys that a subschema, and others that apply to its value, mention. False if one has keywords about unlisted keys.
bool Keywords::list_keys(Site site, Listed& listed) {
  if (!listed.read.insert(static_cast<std::uint32_t>(site)).second) return true;
  forms_.budget().spend();
  const Json& schema = documents_.json(site);
  if (schema.is(Json::Kind::boolean)) return true;
  if (!documents_.ref_stands_alone(site)) {
    const Json* no = schema.find("not");
    if (count_of(schema, kWordsOfOthers) > 0 || gives_objects(schema) || (no && no->find("maxProperties"))) return false;
    listed.least = std::max(listed.least, count(site, "minProperties", 0));
    const auto add = [&](const std::string& key) { listed.keys.push_back(forms_.keys().key(key)); };
    for (const std::string_view word : {"properties", "dependentRequired", "dependentSchemas", "dependencies"}) {
      const Json* members = schema.find(word);
      if (!members) continue;
      listed.any |= word == "properties";
      for (const auto& [key, value] : members->members) {
        add(key);
        if (value.is(Json::Kind::array))
          for (const Json& other : value.items) add(other.text);
      }
    }
    if (const Json* required = schema.find("required"))
      for (const Json& key : required->items) add(key.text);
  }
  return std::ranges::all_of(in_place(site), [&](Site other) { return list_keys(other, listed); });
}

Normal Keywords::closed(Site site) {
  const Json& schema = documents_.json(site);
  const Json* all_of = schema.find("allOf");
  const std::size_t applicators = count_of(schema, kApplicators), others = count_of(schema, kOtherApplicators);
  const bool lone = applicators == 1 && others == 0 && count_of(schema, kWordsOfObjects) + count_of(schema, kWordsOfOthers) == 0;
  if (lone && (!all_of || all_of->items.size() == 1)) return read({site, schema, types(schema), Closing::all});
  Listed listed;
  Reading reading{site, schema, types(schema), Closing::within};
  if (!list_keys(site, listed) || !listed.any) return read(reading);
  std::vector<Key>& keys = listed.keys;
  std::ranges::sort(keys);
  keys.erase(std::ranges::unique(keys).begin(), keys.end());
  if (listed.least > keys.size()) return read(reading);
  const Json* properties = schema.find("properties");
  if (applicators + others == 0 && properties->members.size() == keys.size()) {
    reading.sealed = true;
    return read(reading);
  }
  std::vector<Regular> texts;
  texts.reserve(keys.size());
  for (const Key key : keys) texts.push_back(forms_.key_text(key));
  RegularPool& pool = forms_.pool();
  ObjectShape shape;
  shape.rules.push_back({pool.all_of({forms_.spellings().canonical_strings(), pool.complement(pool.any_of(texts))}), Term::kNone});
  return forms_.both(read(reading), objects_of(std::move(shape)));
}

}  // namespace heed::grammar

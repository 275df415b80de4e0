#include "grammar/schema/keywords.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "grammar/regular/characters.hpp"
#include "grammar/regular/numbers.hpp"
#include "grammar/regular/regex.hpp"
#include "grammar/schema/number_spellings.hpp"
#include "grammar/schema/reading.hpp"

namespace heed::grammar {
namespace {

constexpr std::array<std::string_view, 9> kObjectWords = {"additionalProperties", "dependencies",  "dependentRequired",
                                                          "maxProperties",        "minProperties", "patternProperties",
                                                          "properties",           "propertyNames", "required"};
constexpr std::array<std::string_view, 9> kArrayWords = {"additionalItems", "contains", "items",       "maxContains", "maxItems",
                                                         "minContains",     "minItems", "prefixItems", "uniqueItems"};

// A schema without these keywords lists no keys.
constexpr std::array<std::string_view, 16> kNestingWords = {
    "$dynamicRef",          "$ref",        "$recursiveRef", "additionalItems",
    "additionalProperties", "allOf",       "anyOf",         "dependencies",
    "dependentSchemas",     "else",        "items",         "oneOf",
    "patternProperties",    "prefixItems", "properties",    "then"};

template <std::size_t n>
bool has_any(const Json& schema, const std::array<std::string_view, n>& words) {
  return std::ranges::any_of(schema.members, [&](const JsonMember& member) {
    return std::ranges::find(words, std::string_view(member.key)) != words.end();
  });
}

// The keyword to blame if a normal form is too large or unsupported.
std::string combining_word(const Json& schema) {
  for (const std::string_view word :
       {"not", "oneOf", "if", "dependentSchemas", "dependencies", "contains", "anyOf", "allOf", "$ref"})
    if (schema.find(word)) return std::string(word);
  return schema.members.empty() ? "schema" : schema.members[0].key;
}

}  // namespace

Term Keywords::term(const Json& subschema, Closing closing) {
  if (subschema.is(Json::Kind::boolean)) return subschema.truth ? Term::kAny : Term::kNone;
  if (subschema.members.empty() && options_.closed != Closed::yes) return Term::kAny;
  return forms_.terms().site(documents_.site_of(subschema), has_any(subschema, kNestingWords) ? closing : Closing::none);
}

Site Keywords::target(Site site, std::string_view keyword) {
  const std::string& reference = documents_.json(site).find(keyword)->text;
  return keyword == "$ref" ? documents_.resolve(site, keyword, reference) : documents_.resolve_dynamic(site, keyword, reference);
}

std::vector<std::string_view> Keywords::types(const Json& schema) const {
  const Json* type = schema.find("type");
  if (!type) return {};
  if (type->is(Json::Kind::string)) return {type->text};
  std::vector<std::string_view> types;
  types.reserve(type->items.size());
  for (const Json& item : type->items) types.push_back(item.text);
  return types;
}

Regular Keywords::pattern(Site site, std::string_view keyword, const std::string& text) {
  if (const auto known = patterns_.find(text); known != patterns_.end()) return known->second;
  try {
    const Regular regular = parse_regex(forms_.pool(), text, Spelling::json_canonical, Anchoring::search);
    patterns_.emplace(text, regular);
    return regular;
  } catch (const Refusal& refusal) {
    documents_.refuse(site, refusal.code, keyword, refusal.keyword + " at character " + refusal.path + ": " + refusal.message);
  }
}

std::optional<Format> Keywords::format(Site site, const std::string& name) {
  if (options_.formats == Formats::annotate) return std::nullopt;
  try {
    return grammar::format(forms_.pool(), name, Spelling::json_canonical);
  } catch (const Refusal& refusal) {
    documents_.refuse(site, refusal.code, "format", refusal.message);
  }
}

// A limit of a length or count. A maximum that no text can reach is treated as absent.
std::uint32_t Keywords::count(Site site, std::string_view keyword, std::uint32_t absent) {
  const Json* value = documents_.json(site).find(keyword);
  if (!value) return absent;
  const Decimal decimal(value->text);
  if (decimal.integer_digits() <= 9) return static_cast<std::uint32_t>(std::stoul(plain_number(decimal).value_or("0")));
  if (absent != kNoLimit) documents_.refuse(site, "too-large", keyword, "a minimum may be at most 999999999");
  return kNoLimit;
}

Normal Keywords::form(Site site, Closing closing) {
  const Json& schema = documents_.json(site);
  if (schema.is(Json::Kind::boolean)) return schema.truth ? forms_.any() : forms_.none();
  try {
    if (documents_.ref_stands_alone(site)) return forms_.normal(forms_.terms().site(target(site, "$ref"), closing));
    return closing == Closing::all ? closed(site) : read({site, schema, types(schema), closing});
  } catch (Refusal& refusal) {
    if (refusal.path.empty()) {
      refusal.path = documents_.path(site);
      if (!schema.find(refusal.keyword)) refusal.keyword = combining_word(schema);
    }
    throw;
  }
}

// Reads keywords in their order, which also determines the order of keys.
Normal Keywords::read(const Reading& reading) {
  const Json& schema = reading.schema;
  Normal all{scalars(reading), {}, {}};
  if (reading.allows("array")) {
    const bool closed = options_.closed == Closed::yes && reading.names("array");
    all.arrays = {closed || has_any(schema, kArrayWords) ? forms_.intern(array(reading)) : ArrayId::kAny};
  }
  if (reading.allows("object")) all.objects = {ObjectId::kAny};
  const auto add = [&](const Normal& normal) { all = forms_.both(all, normal); };
  const auto join = [&](const Json& list) {
    Normal either = forms_.none();
    for (const Json& item : list.items) either = forms_.either(either, normal(item, reading.within));
    return either;
  };
  const bool properties = schema.find("properties") != nullptr;
  bool object_read = !reading.allows("object");
  const auto read_object = [&] {
    if (!object_read) add(objects_of(object(reading)));
    object_read = true;
  };
  for (const auto& [word, value] : schema.members) {
    if (word == "properties" || (!properties && std::ranges::find(kObjectWords, word) != kObjectWords.end())) read_object();
    if (word == "$ref" || word == "$dynamicRef" || word == "$recursiveRef") {
      add(forms_.normal(forms_.terms().site(target(reading.site, word), reading.within)));
    } else if (word == "allOf") {
      for (const Json& item : value.items) add(normal(item, reading.within));
    } else if (word == "anyOf") {
      add(join(value));
    } else if (word == "oneOf") {
      add(exactly_one(reading, value));
    } else if (word == "not") {
      add(forms_.complement(normal(value)));
    } else if (word == "if") {
      add(conditional(reading));
    } else if (word == "enum") {
      add(values(value));
    } else if (word == "const") {
      add(forms_.normal(forms_.terms().value(value)));
    } else if (word == "dependentSchemas" || word == "dependencies") {
      for (const auto& [key, dependent_schema] : value.members)
        if (!dependent_schema.is(Json::Kind::array)) add(dependent(forms_.keys().key(key), term(dependent_schema, reading.within)));
    }
  }
  if (options_.closed == Closed::yes && reading.names("object")) read_object();
  if (schema.find("unevaluatedProperties") || schema.find("unevaluatedItems")) add(unevaluated(reading));
  return all;
}

Scalars Keywords::scalars(const Reading& reading) {
  constexpr std::array<std::string_view, 4> kStringWords = {"format", "maxLength", "minLength", "pattern"};
  constexpr std::array<std::string_view, 5> kNumberWords = {"exclusiveMaximum", "exclusiveMinimum", "maximum", "minimum",
                                                            "multipleOf"};
  Spellings& spellings = forms_.spellings();
  if (reading.types.empty() && !has_any(reading.schema, kStringWords) && !has_any(reading.schema, kNumberWords))
    return spellings.all();
  std::vector<Scalars> types;
  if (reading.allows("null")) types.push_back(spellings.null());
  if (reading.allows("boolean")) types.push_back(spellings.boolean(true)), types.push_back(spellings.boolean(false));
  if (reading.allows("string")) types.push_back(strings(reading));
  if (reading.allows("number")) {
    types.push_back(numbers(reading, false));
  } else if (reading.allows("integer")) {
    types.push_back(numbers(reading, true));
  }
  return spellings.either(types);
}

// Intersects the restrictions while they are languages of characters: whether a pattern and a length have a common text is then
// known at once. After quoting, they would be languages of bytes, and every state would need a search.
Scalars Keywords::strings(const Reading& reading) {
  Spellings& spellings = forms_.spellings();
  RegularPool& pool = forms_.pool();
  const std::uint32_t min = count(reading.site, "minLength", 0), max = count(reading.site, "maxLength", kNoLimit);
  const auto limit = max == kNoLimit ? std::nullopt : std::optional<std::uint32_t>(max);
  const bool limited = min > 0 || limit;
  std::vector<Regular> characters;
  if (const Json* text = reading.schema.find("pattern")) characters.push_back(pattern(reading.site, "pattern", text->text));
  std::optional<Format> known;
  if (const Json* name = reading.schema.find("format")) known = format(reading.site, name->text);
  if (characters.empty() && !known) return limited ? spellings.strings(min, limit) : spellings.strings();
  if (limited) characters.push_back(pool.repeat(any_character(pool, Spelling::json_canonical), min, limit));
  if (!known) return spellings.strings(pool.all_of(characters));
  characters.push_back(known->texts);
  const Regular texts = pool.all_of(characters);
  if (known->values == known->texts) return spellings.strings(texts);
  characters.back() = known->values;
  return spellings.part_of_strings(texts, pool.all_of(characters));
}

Scalars Keywords::numbers(const Reading& reading, bool integer) {
  NumberLimits limits;
  const auto tighten = [](std::optional<NumberLimits::Limit>& limit, NumberLimits::Limit other, bool lower) {
    const bool tighter = !limit || (other.value == limit->value ? other.exclusive : (other.value > limit->value) == lower);
    if (tighter) limit = std::move(other);
  };
  const auto add = [&](std::string_view word, std::string_view exclusive_word, bool lower) {
    const Json *value = reading.schema.find(word), *exclusive = reading.schema.find(exclusive_word);
    std::optional<NumberLimits::Limit>& limit = lower ? limits.lower : limits.upper;
    if (value) tighten(limit, {Decimal(value->text), exclusive && exclusive->truth}, lower);
    if (exclusive && exclusive->is(Json::Kind::number)) tighten(limit, {Decimal(exclusive->text), true}, lower);
  };
  add("minimum", "exclusiveMinimum", true);
  add("maximum", "exclusiveMaximum", false);
  if (const Json* multiple = reading.schema.find("multipleOf")) limits.multiple_of.emplace_back(multiple->text);

  Spellings& spellings = forms_.spellings();
  if (!limits.lower && !limits.upper && limits.multiple_of.empty()) return integer ? spellings.integers() : spellings.numbers();
  const Regular plain = number(forms_.pool(), limits);
  if (!integer) return spellings.numbers(plain);
  limits.integer = true;
  return {forms_.pool().all_of({spellings.integers().values, plain}), number(forms_.pool(), limits)};
}

ArrayShape Keywords::array(const Reading& reading) {
  ArrayShape shape;
  const Json *items = reading.schema.find("items"), *prefix = reading.schema.find("prefixItems");
  if (items && items->is(Json::Kind::array)) prefix = items, items = reading.schema.find("additionalItems");
  if (prefix)
    for (const Json& item : prefix->items) shape.prefix.push_back(term(item, reading.of_values()));
  shape.rest = items ? term(*items, reading.of_values()) : options_.closed == Closed::yes ? Term::kNone : Term::kAny;
  shape.min = count(reading.site, "minItems", 0);
  shape.max = count(reading.site, "maxItems", kNoLimit);
  if (shape.rest == Term::kNone) shape.max = std::min(shape.max, static_cast<std::uint32_t>(shape.prefix.size()));
  if (const Json* contains = reading.schema.find("contains")) {
    const Contained contained{term(*contains), 0, count(reading.site, "minContains", 1),
                              count(reading.site, "maxContains", kNoLimit)};
    if (contained.min > 0 || contained.max != kNoLimit) shape.contained.push_back(contained);
  }
  if (const Json* unique = reading.schema.find("uniqueItems")) shape.unique = unique->truth;
  return shape;
}

Normal Keywords::objects_of(ObjectShape shape) {
  Normal normal = forms_.any();
  normal.objects = {forms_.intern(std::move(shape))};
  return normal;
}

ObjectShape Keywords::object(const Reading& reading) {
  ObjectShape shape;
  shape.min = count(reading.site, "minProperties", 0);
  shape.max = count(reading.site, "maxProperties", kNoLimit);
  add_rules(reading, shape);
  add_properties(reading, shape);
  return shape;
}

void Keywords::add_rules(const Reading& reading, ObjectShape& shape) {
  RegularPool& pool = forms_.pool();
  const Spellings& spellings = forms_.spellings();
  const Regular all = spellings.canonical_strings();
  std::vector<Regular> patterns;
  if (const Json* list = reading.schema.find("patternProperties")) {
    for (const auto& [text, subschema] : list->members) {
      patterns.push_back(forms_.spellings().strings(pattern(reading.site, "patternProperties", text)).values);
      shape.rules.push_back({patterns.back(), term(subschema, reading.of_values())});
    }
  }
  const Json* additional = reading.schema.find("additionalProperties");
  const bool none = options_.closed == Closed::yes || reading.sealed;
  const Term other = additional ? term(*additional, reading.of_values()) : none ? Term::kNone : Term::kAny;
  if (other != Term::kAny)
    shape.rules.push_back({patterns.empty() ? all : pool.all_of({all, pool.complement(pool.any_of(patterns))}), other});
  if (const Json* names = reading.schema.find("propertyNames")) {
    const Scalars& keys = normal(*names).scalars;
    const Regular allowed = pool.all_of({all, keys.texts});
    if (combines_ && spellings.approximate() && !pool.is_nothing(pool.all_of({all, keys.values, pool.complement(allowed)})))
      documents_.refuse(reading.site, "unsupported", "propertyNames", "a format that is not supported exactly cannot be negated");
    if (allowed != all) shape.rules.push_back({pool.all_of({all, pool.complement(allowed)}), Term::kNone});
  }
}

// Call after add_rules: rules that apply to a key of "properties" (all but additionalProperties) are added to its schema.
void Keywords::add_properties(const Reading& reading, ObjectShape& shape) {
  std::unordered_map<std::string_view, std::size_t> places;
  ObjectShape matching;  // the rules that also apply to the keys of "properties"
  const Json* patterns = reading.schema.find("patternProperties");
  const std::size_t pattern_count = patterns ? patterns->members.size() : 0;
  for (std::size_t i = 0; i < shape.rules.size(); ++i)
    if (i < pattern_count ||
        (i + 1 == shape.rules.size() && reading.schema.find("propertyNames") && shape.rules[i].term == Term::kNone))
      matching.rules.push_back(shape.rules[i]);
  if (const Json* properties = reading.schema.find("properties")) {
    for (const auto& [name, subschema] : properties->members) {
      const Key key = forms_.keys().key(name);
      places.emplace(name, shape.members.size());
      Term own = term(subschema, reading.of_values());
      if (!matching.rules.empty()) own = forms_.terms().both(own, forms_.rules_for(matching, key));
      shape.members.push_back({key, own, false, Place::listed});
    }
  }
  const auto member = [&](const std::string& name) -> Member& {
    const auto [place, added] = places.try_emplace(name, shape.members.size());
    const Key key = forms_.keys().key(name);
    if (added) shape.members.push_back({key, forms_.rules_for(shape, key)});
    return shape.members[place->second];
  };
  const auto mentioned = [&](const std::string& name) -> Member& {
    Member& named = member(name);
    named.place = std::min(named.place, Place::required);
    return named;
  };
  if (const Json* required = reading.schema.find("required"))
    for (const Json& name : required->items) mentioned(name.text).required = true;
  for (const std::string_view word : {"dependentRequired", "dependencies"}) {
    const Json* lists = reading.schema.find(word);
    if (!lists) continue;
    for (const auto& [name, list] : lists->members) {
      for (const Json& other : list.items) {
        const Implied implied{member(name).key, mentioned(other.text).key};
        if (implied.present != implied.required) shape.implied.push_back(implied);
      }
    }
  }
  std::erase_if(shape.rules, [](const OtherKeys& rule) { return rule.term == Term::kAny; });
}

Normal Keywords::values(const Json& list) {
  Normal either = forms_.none();
  std::vector<Scalars> scalars;
  for (const Json& value : list.items) {
    if (value.is(Json::Kind::array) || value.is(Json::Kind::object)) {
      either = forms_.either(either, forms_.normal(forms_.terms().value(value)));
    } else {
      scalars.push_back(forms_.spellings().value(value));
    }
  }
  either.scalars = forms_.spellings().either(scalars);
  return either;
}

// Decides without Closing whether branches overlap. If no object (or array) is in several branches, the objects (or arrays) of the
// closed branches are the result.
Normal Keywords::exactly_one(const Reading& reading, const Json& list) {
  std::vector<Normal> branches;
  branches.reserve(list.items.size());
  for (const Json& item : list.items) branches.push_back(normal(item));
  Normal exactly = forms_.one_of(branches);
  if (reading.within == Closing::none) return exactly;
  Normal any = forms_.none(), closed = forms_.none();
  for (std::size_t i = 0; i < branches.size(); ++i) {
    any = forms_.either(any, branches[i]);
    closed = forms_.either(closed, normal(list.items[i], reading.within));
  }
  if (exactly.objects == any.objects) exactly.objects = closed.objects;
  if (exactly.arrays == any.arrays) exactly.arrays = closed.arrays;
  return exactly;
}

// ("if" and "then") or (not "if" and "else"). Both parts list the keys of "if", so that these keep their place in the order.
Normal Keywords::conditional(const Reading& reading) {
  const Json *then = reading.schema.find("then"), *otherwise = reading.schema.find("else");
  const Normal condition = normal(*reading.schema.find("if"));
  ObjectShape list;
  for (const ObjectId id : condition.objects)
    for (const Member& member : forms_.object(id).members)
      if (member.place != Place::last && std::ranges::find(list.members, member.key, &Member::key) == list.members.end())
        list.members.push_back({member.key, Term::kAny, false, member.place});
  Normal places = objects_of(std::move(list));
  if (!then && !otherwise) return places;
  const Normal met = then ? forms_.both(condition, normal(*then, reading.within)) : condition;
  Normal missed = forms_.both(places, forms_.complement(condition));
  if (otherwise) missed = forms_.both(missed, normal(*otherwise, reading.within));
  return forms_.either(met, missed);
}

// All values except objects that have `key` and are not in `demanded`.
Normal Keywords::dependent(Key key, Term demanded) {
  ObjectShape absent, present;
  absent.members.push_back({key, Term::kNone});
  present.members.push_back({key, Term::kAny, true});
  Normal either = objects_of(std::move(absent));
  const Normal with = forms_.both(objects_of(std::move(present)), forms_.normal(demanded));
  either.objects.insert(either.objects.end(), with.objects.begin(), with.objects.end());
  return either;
}

}  // namespace heed::grammar

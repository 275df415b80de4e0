// Checks that the values of keywords have the types that JSON Schema demands, and are supported.
#include <algorithm>
#include <array>

#include "grammar/regular/decimals.hpp"
#include "grammar/schema/keywords.hpp"

namespace heed::grammar {
namespace {

enum class Expected : std::uint8_t {
  schema,
  schema_or_list,
  schemas,  // a non-empty list
  schema_by_key,
  names,  // strings
  names_by_key,
  schema_or_names_by_key,
  types,
  list,
  flag,
  flag_or_number,
  number,
  positive,
  count,
  string,
  reference,
  unsupported,
};

constexpr std::pair<std::string_view, Expected> kWords[] = {
    {"$dynamicRef", Expected::reference},
    {"$recursiveRef", Expected::reference},
    {"$ref", Expected::reference},
    {"additionalItems", Expected::schema},
    {"additionalProperties", Expected::schema},
    {"allOf", Expected::schemas},
    {"anyOf", Expected::schemas},
    {"contains", Expected::schema},
    {"dependencies", Expected::schema_or_names_by_key},
    {"dependentRequired", Expected::names_by_key},
    {"dependentSchemas", Expected::schema_by_key},
    {"disallow", Expected::unsupported},  // a keyword of draft 3, like divisibleBy and extends
    {"divisibleBy", Expected::unsupported},
    {"else", Expected::schema},
    {"enum", Expected::list},
    {"exclusiveMaximum", Expected::flag_or_number},
    {"exclusiveMinimum", Expected::flag_or_number},
    {"extends", Expected::unsupported},
    {"format", Expected::string},
    {"if", Expected::schema},
    {"items", Expected::schema_or_list},
    {"maxContains", Expected::count},
    {"maxItems", Expected::count},
    {"maxLength", Expected::count},
    {"maxProperties", Expected::count},
    {"maximum", Expected::number},
    {"minContains", Expected::count},
    {"minItems", Expected::count},
    {"minLength", Expected::count},
    {"minProperties", Expected::count},
    {"minimum", Expected::number},
    {"multipleOf", Expected::positive},
    {"not", Expected::schema},
    {"oneOf", Expected::schemas},
    {"pattern", Expected::string},
    {"patternProperties", Expected::schema_by_key},
    {"prefixItems", Expected::schemas},
    {"properties", Expected::schema_by_key},
    {"propertyNames", Expected::schema},
    {"required", Expected::names},
    {"then", Expected::schema},
    {"type", Expected::types},
    {"unevaluatedItems", Expected::schema},
    {"unevaluatedProperties", Expected::schema},
    {"uniqueItems", Expected::flag},
};

/// The keywords that are newer than draft 4, with the draft that introduced each.
constexpr std::pair<std::string_view, Draft> kLater[] = {
    {"$dynamicRef", Draft::draft2020},
    {"$recursiveRef", Draft::draft2019},
    {"const", Draft::draft6},
    {"contains", Draft::draft6},
    {"dependentRequired", Draft::draft2019},
    {"dependentSchemas", Draft::draft2019},
    {"else", Draft::draft7},
    {"if", Draft::draft7},
    {"maxContains", Draft::draft2019},
    {"minContains", Draft::draft2019},
    {"prefixItems", Draft::draft2020},
    {"propertyNames", Draft::draft6},
    {"then", Draft::draft7},
    {"unevaluatedItems", Draft::draft2019},
    {"unevaluatedProperties", Draft::draft2019},
};

constexpr std::array<std::string_view, 7> kTypes = {"array", "boolean", "integer", "null", "number", "object", "string"};

bool is_schema(const Json& value) { return value.is(Json::Kind::object) || value.is(Json::Kind::boolean); }
bool is_string(const Json& value) { return value.is(Json::Kind::string); }
bool is_number(const Json& value) { return value.is(Json::Kind::number); }
bool is_type(const Json& value) {
  return is_string(value) && std::ranges::find(kTypes, std::string_view(value.text)) != kTypes.end();
}

bool are_names(const Json& value) { return value.is(Json::Kind::array) && std::ranges::all_of(value.items, is_string); }

template <class Test>
bool each_by_key(const Json& value, Test test) {
  return value.is(Json::Kind::object) &&
         std::ranges::all_of(value.members, [&](const JsonMember& member) { return test(member.value); });
}

bool is_count(const Json& value) {
  if (!is_number(value)) return false;
  const Decimal decimal(value.text);
  return decimal.integer() && !decimal.negative();
}

// The expected kind of value, if the value is of another kind; otherwise empty.
std::string_view objection(Expected expected, const Json& value) {
  const auto unless = [](bool right, std::string_view what) { return right ? std::string_view() : what; };
  switch (expected) {
    case Expected::schema: return unless(is_schema(value), "a schema");
    case Expected::schema_or_list: return unless(is_schema(value) || value.is(Json::Kind::array), "a schema or a list of schemas");
    case Expected::schemas: return unless(value.is(Json::Kind::array) && !value.items.empty(), "a list of schemas");
    case Expected::schema_by_key: return unless(each_by_key(value, is_schema), "an object of schemas");
    case Expected::names: return unless(are_names(value), "a list of names");
    case Expected::names_by_key: return unless(each_by_key(value, are_names), "an object of lists of names");
    case Expected::schema_or_names_by_key:
      return unless(each_by_key(value, [](const Json& entry) { return is_schema(entry) || are_names(entry); }),
                    "an object of schemas and lists of names");
    case Expected::types:
      return unless(is_type(value) ||
                        (value.is(Json::Kind::array) && !value.items.empty() && std::ranges::all_of(value.items, is_type)),
                    "a type or a list of types");
    case Expected::list: return unless(value.is(Json::Kind::array), "a list");
    case Expected::flag: return unless(value.is(Json::Kind::boolean), "true or false");
    case Expected::flag_or_number: return unless(is_number(value) || value.is(Json::Kind::boolean), "a number");
    case Expected::number: return unless(is_number(value), "a number");
    case Expected::positive: return unless(is_number(value) && Decimal(value.text) > Decimal(), "a number above 0");
    case Expected::count: return unless(is_count(value), "a whole number, not below 0");
    case Expected::string: return unless(is_string(value), "a string");
    case Expected::reference: return unless(is_string(value), "a URI reference");
    case Expected::unsupported: return {};
  }
  return {};
}

}  // namespace

void Keywords::check(Site site, const JsonMember& member, std::vector<Ignored>& ignored) {
  const auto& [word, value] = member;
  const Draft draft = documents_.draft(site);
  const auto later = std::ranges::find(kLater, std::string_view(word), &std::pair<std::string_view, Draft>::first);
  if (later != std::end(kLater) && draft < later->second)
    documents_.refuse(site, "unsupported", word, word + " is of a later draft than the one that $schema names");
  const auto entry = std::ranges::lower_bound(kWords, std::string_view(word), {}, [](const auto& pair) { return pair.first; });
  if (entry == std::end(kWords) || entry->first != word) return;
  if (const std::string_view what = objection(entry->second, value); !what.empty())
    documents_.refuse(site, "invalid", word, word + " must be " + std::string(what));
  if (value.is(Json::Kind::boolean) && entry->second == Expected::flag_or_number && draft != Draft::draft4 &&
      draft != Draft::unnamed)
    documents_.refuse(site, "invalid", word, word + " must be a number");
  if (word == "items" && value.is(Json::Kind::array) && draft == Draft::draft2020)
    documents_.refuse(site, "invalid", word, "items must be a schema; prefixItems is the list");
  combines_ |= word == "not" || word == "oneOf" || word == "if" || word == "maxContains" || word.starts_with("depend") ||
               word.starts_with("unevaluated");
  if (word == "pattern") pattern(site, word, value.text);
  if (word == "patternProperties")
    for (const JsonMember& entry_of : value.members) pattern(site, word, entry_of.key);
  if (word == "format") {
    const std::vector<std::string_view> named = types(documents_.json(site));
    const bool strings = named.empty() || std::ranges::find(named, "string") != named.end();
    if (const auto known = format(site, value.text)) {
      approximates_ |= known->values != known->texts;
      return;
    }
    if (options_.formats == Formats::strict)
      documents_.refuse(site, "unsupported", word, "no draft defines the format " + value.text);
    if (strings || options_.formats == Formats::known) ignored.push_back({word, documents_.path(site)});
  }
  if (entry->second == Expected::reference) target(site, word);
  if (entry->second == Expected::unsupported) documents_.refuse(site, "unsupported", word, word + " is not supported");
}

std::vector<Ignored> Keywords::check() {
  std::vector<Ignored> ignored;
  for (std::uint32_t i = 0; i < documents_.size(); ++i) {  // references may add subschemas
    const Site site{i};
    const Json& schema = documents_.json(site);
    forms_.budget().spend();
    if (documents_.ref_stands_alone(site)) {
      check(site, {"$ref", *schema.find("$ref")}, ignored);
    } else {
      for (const JsonMember& member : schema.members) check(site, member, ignored);
    }
  }
  std::vector<std::uint8_t> colors(documents_.size());
  for (std::uint32_t i = 0; i < documents_.size(); ++i) check_references(Site{i}, colors, 0);
  return ignored;
}

// The subschemas that apply to the same value as `site`, or whose normal forms its normal form needs.
std::vector<Site> Keywords::in_place(Site site) {
  const Json& schema = documents_.json(site);
  std::vector<Site> sites;
  const auto add = [&](const Json& subschema) {
    if (is_schema(subschema)) sites.push_back(documents_.site_of(subschema));
  };
  if (documents_.ref_stands_alone(site)) return {target(site, "$ref")};
  for (const auto& [word, value] : schema.members) {
    if (word == "$ref" || word == "$dynamicRef" || word == "$recursiveRef") {
      sites.push_back(target(site, word));
    } else if (word == "allOf" || word == "anyOf" || word == "oneOf") {
      for (const Json& item : value.items) add(item);
    } else if (word == "not" || word == "if" || word == "then" || word == "else" || word == "propertyNames") {
      add(value);
    } else if (word == "dependentSchemas" || word == "dependencies") {
      for (const JsonMember& member : value.members) add(member.value);
    }
  }
  return sites;
}

// Depth-first search for subschemas that refer to themselves on the same value.
void Keywords::check_references(Site site, std::vector<std::uint8_t>& colors, std::uint32_t depth) {
  enum : std::uint8_t { kNew, kOpen, kDone };
  std::uint8_t& color = colors[static_cast<std::uint32_t>(site)];
  if (color == kDone) return;
  const Json& schema = documents_.json(site);
  const std::string_view word = schema.find("$ref") || schema.members.empty() ? "$ref" : std::string_view(schema.members[0].key);
  if (color == kOpen) documents_.refuse(site, "invalid", word, "the subschema refers to itself without a value in between");
  if (depth > 1'000) documents_.refuse(site, "too-large", word, "references follow each other more than 1000 deep");
  color = kOpen;
  for (const Site next : in_place(site)) check_references(next, colors, depth + 1);
  colors[static_cast<std::uint32_t>(site)] = kDone;
}

}  // namespace heed::grammar

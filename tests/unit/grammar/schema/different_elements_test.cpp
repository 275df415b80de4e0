// uniqueItems: compares with the validator, and options with each other.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "unit/grammar/schema/random_text.hpp"
#include "unit/grammar/schema/texts.hpp"
#include "unit/grammar/schema/validator.hpp"

using namespace heed::grammar;
using heed::test::SchemaTexts;
using nlohmann::ordered_json;

namespace {

std::string different(const std::string& items, const std::string& more = "") {
  return R"({"type": "array", "uniqueItems": true, "items": )" + items + more + "}";
}

/// Random schemas of elements that must differ: with few and many values, of all types, in open and closed objects and arrays, with
/// and without counts.
class RandomElements {
 public:
  explicit RandomElements(std::mt19937& random) : random_(random) {}

  ordered_json array(int depth) {
    ordered_json schema{{"type", "array"}, {"uniqueItems", true}, {"items", element(depth - 1)}};
    if (chance(2)) schema["minItems"] = below(6);
    if (chance(3)) schema["maxItems"] = 2 + below(5);
    if (chance(4)) schema["prefixItems"] = ordered_json::array({element(depth - 1), element(0)});
    return schema;
  }

 private:
  std::size_t below(std::size_t count) { return random_() % count; }
  bool chance(std::size_t one_in) { return below(one_in) == 0; }

  ordered_json element(int depth) {
    switch (below(depth > 0 ? 13 : 7)) {
      case 0: return {{"type", "boolean"}};
      case 1: return {{"enum", ordered_json::array({1, "a", nullptr, "\n"})}};
      case 2: return {{"enum", ordered_json::array({0, 10, ordered_json{{"a", 0}}, ordered_json::array({0})})}};
      case 3: return {{"type", "integer"}, {"minimum", 0}, {"exclusiveMaximum", 1 + below(12)}};
      case 4: return {{"type", chance(2) ? "number" : "integer"}};
      case 5: return {{"type", "string"}};
      case 6: return {{"type", "string"}, {"pattern", "a"}, {"maxLength", 1}};
      case 7: return array(depth);
      case 8: return {{"anyOf", ordered_json::array({element(depth - 1), element(depth - 1)})}};
      case 9: return {{"type", "array"}, {"items", element(depth - 1)}, {"contains", element(0)}, {"maxItems", 2}};
      default: return object(depth);
    }
  }

  ordered_json object(int depth) {
    ordered_json schema{{"type", "object"}};
    for (const char* key : {"a", "b", "c"})
      if (chance(2)) schema["properties"][key] = element(depth - 1);
    if (chance(3)) schema["required"] = ordered_json::array({"a"});
    if (chance(2)) schema["additionalProperties"] = chance(3) ? element(0) : ordered_json(false);
    if (chance(4)) schema["minProperties"] = 1 + below(2);
    if (chance(5)) schema["maxProperties"] = 1 + below(2);
    if (chance(6)) schema["dependentRequired"]["a"] = ordered_json::array({"b"});
    if (chance(6)) schema["patternProperties"]["b"] = element(0);
    return schema;
  }

  std::mt19937& random_;
};

/// The value in canonical form: whole numbers as integers.
ordered_json canonical(const ordered_json& value) {
  if (value.is_number_float() && heed::test::is_whole(value)) return static_cast<std::int64_t>(value.get<double>());
  ordered_json copy = value;
  for (ordered_json& item : copy)  // of a scalar, itself
    if (value.is_structured()) item = canonical(item);
  return copy;
}

/// The value with an element duplicated, removed, or two exchanged.
ordered_json changed(ordered_json value, std::mt19937& random) {
  if (!value.is_array() || value.empty()) return value;
  const std::size_t one = random() % value.size(), other = random() % value.size();
  switch (random() % 4) {
    case 0: value.push_back(value[one]); break;
    case 1: value.erase(one); break;
    case 2: std::swap(value[one], value[other]); break;
    default: value[one] = changed(value[one], random);
  }
  return value;
}

}  // namespace

TEST_CASE("random schemas with uniqueItems accept exactly arrays of different elements", "[grammar][schema]") {
  std::mt19937 random(11);
  int read = 0, compared = 0, invalid = 0;
  for (int round = 0; round < 400; ++round) {
    const ordered_json schema = RandomElements(random).array(3);
    INFO(schema.dump());
    try {
      SchemaTexts texts(schema.dump(), R"({"order": "any"})"),
          indented(schema.dump(), R"({"whitespace": {"indent": 1}, "order": "any"})");
      for (int walk = 0; walk < 6; ++walk) {
        const std::string text = heed::test::random_text(texts, random);
        if (text.empty() || heed::test::has_long_number(text)) continue;
        INFO(text);
        ++read;
        const ordered_json value = canonical(ordered_json::parse(text));
        CHECK(heed::test::is_valid(schema, value));
        CHECK(texts.accepts(value.dump()));
        CHECK(indented.accepts(value.dump(1)));
        for (int change = 0; change < 3; ++change) {
          const ordered_json other = changed(value, random);
          INFO(other.dump());
          const bool valid = heed::test::is_valid(schema, other);
          CHECK(texts.accepts(other.dump()) == valid);
          ++compared;
          invalid += valid ? 0 : 1;
        }
      }
    } catch (const Refusal& refusal) {
      INFO(refusal.message);
      CHECK((refusal.code == "unsatisfiable" || refusal.code == "too-large"));
    }
  }
  CHECK(read > 1200);
  CHECK(compared > 4000);
  CHECK(invalid > 600);
}

TEST_CASE("elements are compared by value, not by spelling", "[grammar][schema]") {
  for (const char* items :
       {"{}", R"({"type": ["object", "array", "number", "string"]})", R"({"properties": {"a": {}, "b": {}}})"}) {
    SchemaTexts texts(different(items), R"({"order": "any"})");
    INFO(items);
    const std::vector<std::pair<std::string, std::string>> same = {
        {"1", "1.0"},
        {"1", "1.00"},
        {R"("a")", R"("a")"},
        {R"({"a":1})", R"({"a":1.0})"},
        {R"({"a":1})", R"({"a":10e-1})"},
        {R"({"a":1})", R"({"a":0.01E+2})"},
        {R"({"a":0})", R"({"a":-0.0})"},
        {R"({"a":0})", R"({"a":0e999999999999})"},
        {R"({"a":"\n"})", R"({"a":"\u000a"})"},
        {R"({"a":"/"})", R"({"a":"\/"})"},
        {R"({"a":"é"})", R"({"a":"\u00E9"})"},
        {R"({"a":"😀"})", R"({"a":"\ud83d\uDE00"})"},
        {R"({"a":1,"b":[2]})", R"({ "b" : [2.0] , "a" : 1 })"},
        {R"({"a":{"x":1,"y":2}})", R"({"a":{"y":2,"x":1}})"},
        {R"([[1]])", R"([[1.0]])"},
    };
    for (const auto& [one, other] : same) {
      INFO(one << " and " << other);
      CHECK(texts.accepts("[" + one + "]"));
      CHECK_FALSE(texts.accepts("[" + one + "," + other + "]"));
      CHECK_FALSE(texts.accepts("[0.5," + one + ",0.25,{}," + other + "]"));
      CHECK(texts.accepts("[[" + one + "],[0.5," + one + "]]"));
    }
    CHECK(texts.accepts(R"([{"a":1},{"a":"1"},{"a":[1]},{"a":true},{"a":10e-2},{},{"a":{}},{"a":null}])"));
    CHECK(texts.accepts(R"([{"a":1e400},{"a":1e401},{"a":1e-400}])"));
    CHECK_FALSE(texts.accepts(R"([{"a":1e400},{"a":10e399}])"));
  }
}

TEST_CASE("an element with another spelling can continue after others", "[grammar][schema]") {
  const std::string open =
      R"({"type": "object", "required": ["a", "b"], "properties": {"a": {"type": ["string", "number"]}, "b": )";
  const std::vector<std::string> inner = {
      R"({"type": "array", "uniqueItems": true, "minItems": 2, "items": {"enum": [0, 1]}})",
      R"({"type": "array", "uniqueItems": true, "minItems": 2, "items": {"type": ["string", "integer"]}})",
      R"({"type": "array", "uniqueItems": true, "minItems": 2, "items": {}})",
  };
  for (const std::string& one : inner) {
    INFO(one);
    SchemaTexts texts(different(open + one + "}}"));
    const std::string first = R"([{"a":"x","b":[0,1]},{"a":)";
    for (const char* a : {R"("y")", R"("\u0079")", R"("\/")", "1e1", "1E400", "-0.0"}) {
      INFO(a);
      const std::string begun = first + a + R"(,"b":[0)";
      CHECK_FALSE(texts.viable(begun + ",0]"));
      CHECK(texts.viable(begun + ","));
      CHECK(texts.accepts(begun + ",1]}]"));
      CHECK(texts.accepts(begun + R"(,1],"c":{}}])"));
    }
    const std::string again = first + R"("\u0078","b":[0,1])";
    CHECK(texts.viable(again));
    CHECK_FALSE(texts.viable(again + "}"));
    CHECK(texts.accepts(again + R"(,"c":0}])"));
  }
}

TEST_CASE("elements that must differ may be indented", "[grammar][schema]") {
  for (const char* items : {R"({"type": "object"})", R"({"type": ["array", "object"], "items": {"uniqueItems": true}})"}) {
    INFO(items);
    SchemaTexts texts(different(items), R"({"whitespace": {"indent": 1}})");
    CHECK(texts.accepts("[\n {\n  \"a\": 1\n },\n {\n  \"a\": [\n   1\n  ]\n },\n {}\n]"));
    CHECK(texts.accepts("[\n {\n  \"a\": [\n   1,\n   2\n  ],\n  \"b\": {\n   \"c\": 1\n  }\n },\n {\n  \"a\": 2\n }\n]"));
    CHECK(texts.viable("[\n {\n  \"a\": 1\n },\n {\n  \"a\": 1,\n"));
    CHECK_FALSE(texts.viable("[\n {\n  \"a\": 1\n },\n {\n  \"a\": 1\n"));
  }
}

TEST_CASE("elements with few values never run out, nested or counted", "[grammar][schema]") {
  struct Case {
    std::string items;
    int count;  // of their values
  };
  const std::vector<Case> cases = {
      {R"({"type": "array", "uniqueItems": true, "items": {"enum": [0, 1]}})", 5},
      {R"({"type": "array", "uniqueItems": true, "items": {"enum": [0, 1]}, "minItems": 2})", 2},
      {R"({"type": "array", "uniqueItems": true, "items": {"enum": [[0, 1], {"a": 0}, 2]}, "maxItems": 2})", 10},
      {R"({"type": "array", "uniqueItems": true, "items": {"uniqueItems": true, "type": "array", "items": {"const": 1}}})", 5},
      {R"({"type": "array", "items": {"enum": [0, 1]}, "contains": {"const": 1}, "maxItems": 2})", 4},
      {R"({"type": "array", "items": {"type": "integer", "minimum": 0, "maximum": 9}, "contains": {"const": 1}, "minContains": 2,
           "maxItems": 2})",
       1},
      {R"({"type": "object", "properties": {"a": {"const": 1}, "b": {"const": 1}}, "additionalProperties": false})", 4},
      {R"({"type": "object", "properties": {"a": {"const": 1}, "b": {"const": 1}}, "additionalProperties": false, "minProperties": 1})",
       3},
      {R"({"type": "object", "properties": {"a": {"const": 1}, "b": {"const": 1}}, "additionalProperties": false, "maxProperties": 1})",
       3},
      {R"({"type": "object", "properties": {"a": {"const": 1}, "b": {"const": 1}}, "additionalProperties": false,
           "dependentRequired": {"a": ["b"]}})",
       3},
      {R"({"type": "object", "patternProperties": {"a": {"type": "boolean"}, "b": {"type": "boolean"}}, "propertyNames": {"maxLength": 1},
           "additionalProperties": false})",
       9},
      {R"({"type": "object", "propertyNames": {"enum": ["a", "b"]}, "additionalProperties": {"const": 0}})", 4},
      {R"({"type": "object", "properties": {"a": {"type": "array", "uniqueItems": true, "items": {"type": "boolean"}}},
           "required": ["a"], "additionalProperties": false})",
       5},
      {R"({"type": "array", "items": {"const": 1}, "minItems": 100, "maxItems": 100})", 1},
  };
  std::mt19937 random(3);
  for (const auto& [items, count] : cases) {
    INFO(items);
    CHECK(heed::test::refused_as(different(items, R"(, "minItems": )" + std::to_string(count + 1))).starts_with("unsatisfiable"));
    for (const int least : {count, count - 1, 1}) {
      SchemaTexts texts(different(items, R"(, "minItems": )" + std::to_string(least)), R"({"whitespace": "compact"})");
      for (int walk = 0; walk < 10; ++walk) {  // each ends, or fails
        const std::string text = heed::test::random_text(texts, random, 2000);
        REQUIRE_FALSE(text.empty());
        CHECK(heed::test::is_valid(ordered_json::parse(different(items)), ordered_json::parse(text)));
      }
    }
  }
}

TEST_CASE("elements with uniqueItems and contains never run out", "[grammar][schema]") {
  // Random schemas, each checked on all arrays of distinct values: it must accept exactly the valid ones, and their beginnings.
  const ordered_json all = ordered_json::array({0, 1, 2, 3, "a"});
  std::vector<ordered_json> arrays{ordered_json::array()};
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    for (const ordered_json& value : all) {
      if (std::ranges::find(arrays[i], value) != arrays[i].end()) continue;
      ordered_json longer = arrays[i];
      longer.push_back(value);
      arrays.push_back(std::move(longer));
    }
  }
  std::mt19937 random(29);
  const auto below = [&](std::size_t count) { return random() % count; };
  const auto some = [&] {
    ordered_json values = ordered_json::array();
    for (const ordered_json& value : all)
      if (below(2) == 0) values.push_back(value);
    if (values.empty()) values.push_back(all[below(all.size())]);
    return ordered_json{{"enum", values}};
  };
  int alive = 0, empty = 0;
  for (int round = 0; round < 600; ++round) {
    ordered_json schema{{"type", "array"}, {"uniqueItems", true}, {"items", below(3) == 0 ? ordered_json{{"enum", all}} : some()}};
    schema["contains"] = some();
    schema["minContains"] = below(4);
    if (below(3) == 0) schema["maxContains"] = schema["minContains"].get<std::size_t>() + below(2);
    if (below(3) == 0) schema["minItems"] = below(5);
    if (below(3) == 0) schema["maxItems"] = below(5);
    if (below(4) == 0) schema["prefixItems"] = ordered_json::array({some(), some()});
    if (below(3) == 0) schema["allOf"] = ordered_json::array({{{"contains", some()}, {"minContains", 1 + below(2)}}});
    INFO(schema.dump());
    std::vector<std::string> valid;
    for (const ordered_json& array : arrays)
      if (heed::test::is_valid(schema, array)) valid.push_back(array.dump());
    if (valid.empty()) {
      CHECK(heed::test::refused_as(schema.dump()).starts_with("unsatisfiable"));
      ++empty;
      continue;
    }
    ++alive;
    SchemaTexts texts(schema.dump(), R"({"whitespace": "compact"})");
    for (const ordered_json& array : arrays) {
      const std::string text = array.dump(), begun = text.substr(0, text.size() - 1);
      INFO(text);
      CHECK(texts.accepts(text) == (std::ranges::find(valid, text) != valid.end()));
      CHECK(texts.viable(begun) == std::ranges::any_of(valid, [&](const std::string& one) { return one.starts_with(begun); }));
    }
  }
  CHECK(alive > 200);
  CHECK(empty > 50);
}

TEST_CASE("two elements with the same constant cannot differ", "[grammar][schema]") {
  const std::string twice = R"(, "contains": {"const": 1}, "minContains": 2)";
  CHECK(heed::test::refused_as(different(R"({"enum": [1, 2]})", twice)).starts_with("unsatisfiable"));
  CHECK(heed::test::refused_as(different(R"({"type": "number"})", twice)).starts_with("unsatisfiable"));
  SchemaTexts objects(different(R"({"type": "object"})", R"(, "contains": {"enum": [{"a": 1}, {"a": 2}]}, "minContains": 2)"));
  CHECK(objects.accepts(R"([{"a":2},{},{"a":1}])"));
  CHECK_FALSE(objects.viable(R"([{"a":2},{},{"a":2})"));
  CHECK_FALSE(objects.accepts(R"([{"a":2},{}])"));
}

TEST_CASE("arrays of different arrays of their own kind", "[grammar][schema]") {
  const auto recursive = [](const std::string& types, int least) {
    return R"({"type": [)" + types + R"(], "uniqueItems": true, "items": {"$ref": "#"}, "minItems": )" + std::to_string(least) +
           "}";
  };
  CHECK(heed::test::refused_as(recursive(R"("array")", 1)).starts_with("unsatisfiable"));
  CHECK(SchemaTexts(recursive(R"("array")", 0)).accepts("[[],[[]],[[],[[]]]]"));
  CHECK(SchemaTexts(recursive(R"("array", "null")", 1)).accepts("[null,[null],[[null]]]"));
  CHECK_FALSE(SchemaTexts(recursive(R"("array", "null")", 1)).viable("[null,null"));
  SchemaTexts none(recursive(R"("array", "null")", 2));  // the first array with two elements needs a second array
  CHECK(none.accepts("null"));
  CHECK_FALSE(none.viable("["));
  SchemaTexts some(recursive(R"("array", "null", "boolean")", 3));
  CHECK(some.accepts("[null,true,false]"));
  CHECK(some.accepts("[null,true,[false,null,true]]"));
  CHECK_FALSE(some.viable("[null,true]"));
  CHECK_FALSE(SchemaTexts(recursive(R"("array", "null", "boolean")", 4)).viable("["));
}

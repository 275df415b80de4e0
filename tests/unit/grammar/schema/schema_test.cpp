#include "grammar/schema/schema.hpp"

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "unit/grammar/schema/texts.hpp"

using namespace heed::grammar;
using heed::test::refused_as;
using heed::test::SchemaTexts;

namespace {

struct SchemaCase {
  std::string schema;
  std::vector<std::string> accepted, rejected;
  std::string options = "{}";
};

void check_cases(const std::vector<SchemaCase>& cases) {
  for (const SchemaCase& one : cases) {
    INFO(one.schema << " " << one.options);
    SchemaTexts texts(one.schema, one.options);
    for (const std::string& text : one.accepted) {
      INFO(text);
      CHECK(texts.accepts(text));
      for (std::size_t i = 0; i < text.size(); ++i) CHECK(texts.viable(std::string_view(text).substr(0, i)));
    }
    for (const std::string& text : one.rejected) {
      INFO(text);
      CHECK_FALSE(texts.accepts(text));
    }
  }
}

}  // namespace

TEST_CASE("types, constants and restrictions of scalars", "[grammar][schema]") {
  check_cases({
      {"{}",
       {"1", "-0.5e+7", "\"\\u00e9\\/\"", "[1, {\"a\":[]}]", "{\"b\":1,\"a\":null}"},
       {"", "01", "+1", "nul", " 1", "1 ", "[1,]", "\"\\ud800\""}},
      {R"({"type": "integer"})", {"0", "-12"}, {"1.0", "1e3", "\"1\""}},
      {R"({"type": ["null", "boolean"]})", {"null", "true"}, {"0", "[]"}},
      {R"({"type": "string", "minLength": 2, "maxLength": 3})",
       {"\"ab\"", "\"\\u0061\\ud83d\\ude00\"", "\"äöü\""},
       {"\"a\"", "\"abcd\""}},
      {R"({"minLength": 3})", {"12", "\"abc\""}, {"\"ab\""}},
      {R"({"pattern": "^a+$", "maxLength": 3})", {"\"aaa\"", "7"}, {"\"aaaa\"", "\"\\u0061\"", "\"b\""}},
      {R"({"minimum": 0.5, "exclusiveMaximum": 2, "multipleOf": 0.25})",
       {"0.5", "1.75", "1.50", "\"x\""},
       {"0.25", "2", "1.1", "1e0"}},
      {R"({"enum": [1, "a", {"x": [1, 2.50]}, null]})",
       {"1", "\"a\"", "{\"x\":[1,2.5]}", "{ \"x\" : [1, 2.50] }", "null"},
       {"1.0", "{\"x\":[1]}", "{}"}},
      {R"({"enum": [1, 5, "abc"], "minimum": 3})", {"5", "\"abc\""}, {"1"}},
      {R"({"not": {"enum": [1, "yes"]}})", {"2", "\"no\"", "[]", "1.5"}, {"1", "1.0", "\"yes\"", "\"\\u0079es\"", "10e-1"}},
      {R"({"not": {"type": "integer"}})", {"1.5", "\"a\"", "{}"}, {"1", "1.0", "15e-1e", "10e-1"}},
      {R"({"oneOf": [{"type": "integer", "maximum": 10}, {"type": "integer", "minimum": 5}]})", {"4", "11"}, {"5", "10", "7"}},
      {R"({"if": {"minimum": 10}, "then": {"multipleOf": 10}, "else": {"multipleOf": 3}})",
       {"20", "9", "3.0"},
       {"15", "4", "10.5"}},
  });
}

TEST_CASE("objects", "[grammar][schema]") {
  check_cases({
      {R"({"type": "object", "properties": {"a": {"type": "integer"}, "b": {}}, "required": ["b"], "additionalProperties": false})",
       {R"({"a":1,"b":2})", R"({"b":{}})"},
       {R"({"b":1,"a":1})", R"({"a":1})", R"({"b":1,"b":2})", R"({"b":1,"c":1})", R"({"\u0062":1})"}},
      {R"({"type": "object", "patternProperties": {"^a": {"type": "integer"}, "b$": {"minimum": 5}}, "additionalProperties": {"type": "null"}})",
       {R"({"ab":7,"a":1,"xb":9,"y":null})"},
       {R"({"ab":3})", R"({"a":"x"})", R"({"y":1})", R"({"y":null,"y":null})"}},
      {R"({"type": "object", "propertyNames": {"enum": ["a", "b"]}, "minProperties": 2})",
       {R"({"b":1,"a":2})"},
       {R"({"a":1})", R"({"a":1,"c":2})"}},
      {R"({"type": "object", "properties": {"a": {}, "b": {}, "c": {}}, "minProperties": 2, "maxProperties": 2, "additionalProperties": false})",
       {R"({"a":1,"c":1})", R"({"b":1,"c":1})"},
       {R"({"c":1})", R"({"a":1,"b":1,"c":1})"}},
      {R"({"type": "object", "properties": {"a": {}, "b": {}, "c": {}}, "dependentRequired": {"c": ["a"], "a": ["b"]}})",
       {R"({"a":1,"b":1,"c":1})", R"({"b":1})"},
       {R"({"b":1,"c":1})", R"({"a":1})"}},
      {R"({"type": "object", "dependentSchemas": {"a": {"properties": {"b": {"const": 1}}, "required": ["b"]}}})",
       {R"({"b":2})", R"({"b":1,"a":0})"},
       {R"({"a":0})", R"({"b":2,"a":0})"}},
      {R"({"oneOf": [{"properties": {"kind": {"const": "c"}, "r": {"type": "number"}}, "required": ["kind", "r"]},
                     {"properties": {"kind": {"const": "b"}, "w": {"type": "number"}}, "required": ["kind", "w"]}]})",
       {R"({"kind":"c","r":1})", R"({"kind":"b","w":1,"r":"any"})"},
       {R"({"kind":"b","r":1})", "1"}},
      {R"({"type": "object", "oneOf": [{"required": ["a"]}, {"required": ["b"]}]})",
       {R"({"a":1})", R"({"b":1,"c":2})"},
       {R"({"a":1,"b":1})", "{}"}},
      {R"({"type": "object", "not": {"properties": {"a": {"type": "integer"}}}})", {R"({"a":"x"})"}, {R"({"a":1})", "{}"}},
      {R"({"type": "object", "not": {"additionalProperties": {"type": "integer"}}})", {R"({"z":1,"a":"x"})"}, {"{}", R"({"a":1})"}},
      {R"({"properties": {"a": {"unevaluatedProperties": false, "allOf": [{"properties": {"x": {}}}], "anyOf": [{"properties": {"y": {"const": 1}}, "required": ["y"]}, {}]}}})",
       {R"({"a":{"x":1}})", R"({"a":{"x":1,"y":1}})"},
       {R"({"a":{"y":2}})", R"({"a":{"z":1}})"}},
  });
}

TEST_CASE("arrays", "[grammar][schema]") {
  check_cases({
      {R"({"type": "array", "prefixItems": [{"type": "integer"}, {"type": "string"}], "items": {"type": "boolean"}, "minItems": 1, "maxItems": 4})",
       {"[1]", "[1,\"a\",true,false]"},
       {"[]", "[\"a\"]", "[1,\"a\",2]", "[1,\"a\",true,true,true]"}},
      {R"({"type": "array", "items": {"type": "integer"}, "contains": {"minimum": 10}, "minContains": 2, "maxContains": 3})",
       {"[10,1,11]", "[10,11,12,1]"},
       {"[1,10]", "[10,11,12,13]"}},
      {R"({"type": "array", "items": {"type": "integer"}, "maxItems": 10000, "minItems": 3})", {"[1,2,3]"}, {"[1,2]"}},
      {R"({"type": "array", "uniqueItems": true})",
       {"[1,\"1\",[1],{\"a\":1}]", "[{\"a\":1,\"b\":2},{\"a\":1,\"b\":3},{\"a\":1}]", "[[1],[1,2],[]]", "[[1,1],[1]]"},
       {"[1,1.0]", "[100,1e2]", "[{\"a\":1,\"b\":2},{\"b\":2,\"a\":1}]", "[[1],[1.0]]", "[\"a\",\"\\u0061\"]", "[0,-0.0]"}},
      {R"({"type": "array", "items": {"enum": ["a", "b", "c"]}, "uniqueItems": true, "minItems": 2})",
       {"[\"c\",\"a\"]"},
       {"[\"a\",\"a\"]", "[\"a\"]"}},
      {R"({"not": {"type": "array", "items": {"type": "integer"}, "minItems": 1}})", {"[]", "[1,\"a\"]", "1"}, {"[1]", "[1,2]"}},
      {R"({"prefixItems": [{"type": "integer"}], "unevaluatedItems": {"type": "null"}})", {"[1,null]"}, {"[1,1]"}},
  });
}

TEST_CASE("elements that must differ never run out", "[grammar][schema]") {
  SchemaTexts texts(R"({"type": "array", "prefixItems": [{"enum": [1, 2]}, {"enum": [1]}], "uniqueItems": true, "minItems": 2})");
  CHECK_FALSE(texts.viable("[1"));
  CHECK(texts.accepts("[2,1]"));
  SchemaTexts booleans(R"({"type": "array", "items": {"type": "boolean"}, "uniqueItems": true})");
  CHECK(booleans.viable("[true,"));
  CHECK_FALSE(booleans.viable("[true,t"));
  CHECK_FALSE(booleans.viable("[true,false,"));
  SchemaTexts objects(
      R"({"items": {"type": "object", "properties": {"a": {"enum": [1, 2]}}, "required": ["a"], "additionalProperties": false}, "uniqueItems": true})");
  CHECK_FALSE(objects.viable(R"([{"a":1},{"a":1)"));
  CHECK_FALSE(objects.viable(R"([{"a":1},{"a":2},)"));
  CHECK(refused_as(R"({"type": "array", "items": {"enum": [1, 1.0, 2]}, "uniqueItems": true, "minItems": 3})") ==
        "unsatisfiable type #");
}

TEST_CASE("objects whose keys run out", "[grammar][schema]") {
  SchemaTexts one(R"({"type": "object", "propertyNames": {"enum": ["a", "b"]}})");
  CHECK(one.viable(R"({"b":1,"a)"));
  CHECK_FALSE(one.viable(R"({"b":1,"a":1,)"));
  CHECK_FALSE(one.viable(R"({"b":1,"b)"));
  CHECK(refused_as(R"({"maxProperties": 2, "not": {"maxProperties": 3}})") == "unsatisfiable maxProperties #");
  CHECK(refused_as(R"({"type": "object", "minProperties": 3, "maxProperties": 2})") == "unsatisfiable type #");
}

TEST_CASE("references", "[grammar][schema]") {
  check_cases({
      {R"({"type": "array", "items": {"$ref": "#"}})", {"[[],[[]]]"}, {"[1]"}},
      {R"({"$id": "http://a/b/c", "$ref": "d#x", "$defs": {"d": {"$id": "d", "$defs": {"e": {"$anchor": "x", "type": "integer"}}}}})",
       {"1"},
       {"\"\""}},
      {R"({"properties": {"a": {"$ref": "#/$defs/p~1q%25", "minLength": 2}}, "$defs": {"p/q%": {"type": "string"}}})",
       {R"({"a":"xy"})"},
       {R"({"a":"x"})", R"({"a":1})"}},
      {R"({"$schema": "http://json-schema.org/draft-07/schema#", "properties": {"a": {"$ref": "#/definitions/s", "minLength": 2}}, "definitions": {"s": {"type": "string"}}})",
       {R"({"a":"x"})"},
       {R"({"a":1})"}},
      {R"({"$ref": "http://x/y#/$defs/z"})",
       {"true"},
       {"1"},
       R"({"schemas": {"http://x/y": {"$defs": {"z": {"type": "boolean"}}}}})"},
      {R"({"$ref": "http://x/y"})", {"true"}, {"1"}, R"({"schemas": {"http://x/y": "{\"type\": \"boolean\"}"}})"},  // as text
      {R"({"oneOf": [{"type": "null"}, {"type": "object", "properties": {"next": {"$ref": "#"}}, "required": ["next"], "additionalProperties": false}]})",
       {"null", R"({"next":{"next":null}})"},
       {"{}", R"({"next":1})"}},
  });
  CHECK(refused_as(R"({"properties": {"a": {"$ref": "http://x/y"}}})") == "unsupported $ref #/properties/a");
  CHECK(refused_as(R"({"anyOf": [{"$ref": "#"}, {"type": "null"}]})").starts_with("invalid "));
  CHECK(refused_as(R"({"$ref": "#/nowhere"})") == "invalid $ref #");
  CHECK(
      refused_as(
          R"({"$ref": "#/$defs/a", "$defs": {"a": {"required": ["n"], "type": "object", "properties": {"n": {"$ref": "#/$defs/a"}}}}})") ==
      "unsatisfiable $ref #");
}

TEST_CASE("the order of keys", "[grammar][schema]") {
  const std::string schema = R"({"properties": {"a": {}, "b": {}}, "required": ["z", "b"]})";
  check_cases({
      {schema,
       {R"({"a":1,"b":2,"z":3,"other":4,"more":5})", R"({"b":2,"z":3})"},
       {R"({"b":2,"a":1,"z":3})", R"({"b":1,"x":1,"z":1})", R"({"z":1,"b":1})"}},
      {schema, {R"({"z":1,"x":1,"b":1,"a":1})"}, {R"({"z":1,"a":1})", R"({"z":1,"b":1,"z":1})"}, R"({"order": "any"})"},
      {R"({"allOf": [{"properties": {"b": {}}}, {"properties": {"a": {}}}], "properties": {"c": {}}})",
       {R"({"b":1,"a":1,"c":1})"},
       {R"({"a":1,"b":1})", R"({"c":1,"a":1})"}},
      {R"({"const": {"b": 1, "a": 2}})", {R"({"b":1,"a":2})"}, {R"({"a":2,"b":1})"}},
  });
}

TEST_CASE("whitespace", "[grammar][schema]") {
  const std::string gap(64, ' ');
  check_cases({
      {"{}", {"[" + gap + "1" + gap + "]", "{ \"a\"\t:\n1\r, \"b\" : [ ] }"}, {"[" + gap + " 1]"}},
      {"{}", {"[ 1 ]"}, {"[  1]"}, R"({"maxWhitespace": 1})"},
      {"{}", {R"({"a":[1,2]})"}, {"[ 1]", "[1 ]", "{ }"}, R"({"whitespace": "compact"})"},
      {"{}",
       {"{\n  \"a\": [\n    1,\n    {}\n  ],\n  \"b\": []\n}", "[]"},
       {"{\"a\": 1}", "{\n  \"a\":1\n}", "{\n \"a\": 1\n}", "[\n]", "[\n  1,2\n]"},
       R"({"whitespace": {"indent": 2}})"},
  });
}

TEST_CASE("a negation excludes the superset of a format that is not exact", "[grammar][schema]") {
  const char *hostname = R"("xn--mnchen-3ya.de")", *address =
                                                       "\"a@b\xC3\xBC"
                                                       "cher.de\"";
  check_cases({
      {R"({"type": "string", "format": "hostname"})", {R"("a.b")"}, {hostname}},
      {R"({"type": "string", "not": {"format": "hostname"}})", {R"("a b")", R"("")"}, {hostname, R"("a.b")"}},
      {R"({"type": "string", "not": {"format": "idn-email"}})", {R"("a")"}, {address, R"("a@b")"}},
      {R"({"if": {"format": "hostname"}, "then": false})", {R"("a b")"}, {hostname, "1"}},
      {R"({"type": "string", "oneOf": [{"format": "hostname"}, {"maxLength": 30}]})", {R"("a b")"}, {hostname, R"("a.b")"}},
      {R"({"type": "string", "oneOf": [{"format": "ipv6"}, {"format": "hostname"}]})", {R"("::1")", R"("a.b")"}, {hostname}},
      {R"({"type": "string", "oneOf": [{"format": "ipv4"}, {"format": "hostname"}]})", {R"("a.b")"}, {R"("1.2.3.4")"}},
      {R"({"type": "array", "items": {"type": "string"}, "contains": {"format": "hostname"}, "maxContains": 1})",
       {R"(["a.b","a b"])"},
       {R"(["a.b","xn--mnchen-3ya.de"])"}},
      {R"({"enum": ["xn--a", "x y"], "not": {"format": "hostname"}})", {R"("x y")"}, {R"("xn--a")"}},
      {R"({"propertyNames": {"format": "hostname"}, "type": "object"})", {R"({"a.b":1})"}, {R"({"xn--a":1})"}},
      {R"({"type": "string", "not": {"not": {"format": "hostname"}}})", {R"("a.b")"}, {R"("xn--9")", R"("a b")"}},
      {R"({"type": "string", "not": {"not": {"format": "idn-email"}}})", {R"("a@b")"}, {R"("@ @ @")", address}},
      {R"({"type": "string", "not": {"not": {"format": "regex"}}})", {R"("a+")"}, {R"x("(")x"}},
      {R"({"not": {"anyOf": [{"not": {"type": "string"}}, {"not": {"format": "regex"}}]}})", {R"("a+")"}, {R"x("(")x", "1"}},
      {R"({"properties": {"h": {"type": "string", "if": {"not": {"format": "hostname"}}, "then": false}}})",
       {R"({"h":"a.b"})"},
       {R"({"h":"xn--9"})", R"({"h":"a b"})"}},
      {R"({"type": ["string", "number"], "not": {"not": {"anyOf": [{"format": "hostname"}, {"const": 1}]}}})",
       {R"("a.b")", "1", "1.0"},
       {R"("xn--9")"}},
      {R"({"oneOf": [{"type": "null"}, {"type": "object", "required": ["h", "o"], "properties": {
           "h": {"type": "string", "format": "hostname"}, "o": {"type": "object", "propertyNames": {"pattern": "^[a-z]+$"}}}}]})",
       {R"({"h":"a","o":{"b":1}})"},
       {R"({"h":"a","o":{"B":1}})"}},
  });
  CHECK(refused_as(R"({"const": "xn--a", "format": "hostname"})") == "unsupported format #");
  CHECK(refused_as(R"({"not": {"propertyNames": {"format": "hostname"}}})") == "unsupported propertyNames #/not");
}

TEST_CASE("a part without a known text is refused when the language is made", "[grammar][schema]") {
  const std::string none = R"({"type": "string", "format": "hostname", "pattern": "^xn--"})";
  const std::pair<std::string, std::string> schemas[] = {
      {R"({"properties": {"a": )" + none + "}}", "#/properties/a"},
      {R"({"properties": {"a": {"type": "object", "additionalProperties": )" + none + "}}}", "#/properties/a/additionalProperties"},
      {R"({"$defs": {"a": {"properties": {"b": )" + none + R"(, "c": {"$ref": "#/$defs/a"}}}}, "$ref": "#/$defs/a"})",
       "#/$defs/a/properties/b"},
      {R"({"items": {"anyOf": [{"type": "null"}, {"type": "array", "items": )" + none + "}]}}", "#/items/anyOf/1/items"},
      {R"({"patternProperties": {"x": {"pattern": "^xn--"}}, "properties": {"x": {"type": "string", "format": "hostname"}}})", "#"},
  };
  for (const auto& [schema, path] : schemas) CHECK(refused_as(schema) == "unsupported format " + path);
}

TEST_CASE("values of many digits", "[grammar][schema]") {
  const std::string digits = "1" + std::string(800, '2'), small = "0." + std::string(800, '3');
  check_cases({
      {R"({"const": )" + digits + "}", {digits}, {digits + "0", digits + ".5", "1"}},
      {R"({"not": {"const": )" + digits + "}}", {digits + "0", "1", "\"x\""}, {digits, digits + ".0"}},
      {R"({"not": {"const": )" + small + "}}", {small + "1", "0"}, {small, small + "0"}},
      {R"({"not": {"const": 0}})", {"1", "0.1"}, {"0", "-0", "0.0", "-0.00"}},
      {R"({"type": "array", "uniqueItems": true, "items": {"type": "number"}})",
       {"[" + digits + "," + small + ",1]"},
       {"[" + digits + ",1," + digits + "]", "[" + small + "," + small + "0]"}},
  });
}

TEST_CASE("a negated length keeps unnecessary escapes", "[grammar][schema]") {
  check_cases({
      {R"({"type": "string", "maxLength": 2, "not": {"maxLength": 1}})",
       {R"("ab")", R"("\u0061b")", R"("\ud83d\ude00a")"},
       {R"("\u0061")", R"("\ud83d\ude00")", R"("a\u0061b")"}},
      {R"({"type": "string", "oneOf": [{"minLength": 1}, {"maxLength": 3}]})", {R"("\u0061bcd")", R"("")"}, {R"("\u0061")"}},
      {R"({"not": {"maxLength": 1}})", {R"("\u0061b")"}, {R"("\u0061")", "1"}},
      {R"({"not": {"type": "integer"}, "type": ["number", "string"]})", {R"("\u0061")", "1.5"}, {"1", "1.0"}},
  });
}

TEST_CASE("keywords of later drafts than $schema's are refused", "[grammar][schema]") {
  const auto refused_in = [](const std::string& draft, const std::string& words) {
    return refused_as(R"({"$schema": "http://json-schema.org/)" + draft + R"(/schema#", )" + words + "}");
  };
  CHECK(refused_in("draft-04", R"("not": {"const": 1})") == "unsupported const #/not");
  CHECK(refused_in("draft-06", R"("if": {}, "then": {})") == "unsupported if #");
  CHECK(refused_in("draft-07", R"("contains": {}, "minContains": 0)") == "unsupported minContains #");
  CHECK(refused_in("draft-07", R"("items": {"dependentRequired": {"a": ["b"]}})") == "unsupported dependentRequired #/items");
  CHECK(refused_in("draft/2019-09", R"("prefixItems": [{}])") == "unsupported prefixItems #");
  check_cases({
      {R"({"$schema": "http://json-schema.org/draft-07/schema#", "type": "array", "contains": {"const": 1}})", {"[1]"}, {"[]"}},
      {R"({"$schema": "https://json-schema.org/draft/2020-12/schema", "prefixItems": [{"const": 1}]})", {"[1]"}, {"[2]"}},
      {R"({"prefixItems": [{"const": 1}], "dependencies": {"a": ["b"]}})", {"[1]"}, {"[2]", R"({"a":1})"}},
  });
}

TEST_CASE("options", "[grammar][schema]") {
  check_cases({
      {R"({"type": "string"})", {"\"a\""}, {"\"\\u0061\"", "\"\\/\""}, R"({"escapes": "canonical"})"},
      {R"({"type": "object", "properties": {"a": {"type": "array"}}})",
       {R"({"a":[]})"},
       {R"({"b":1})", R"({"a":[1]})"},
       R"({"closed": true})"},
  });
  CHECK(refused_as("{}", R"({"speed": 1})") == "invalid speed ");
  CHECK(refused_as("{}", R"({"order": "random"})") == "invalid order ");
  CHECK(refused_as(R"({"$ref": "http://x/y"})", R"({"schemas": {"http://x/y": "{"}})").starts_with("invalid "));
  CHECK(refused_as(R"({"format": "isbn"})", R"({"formats": "strict"})") == "unsupported format #");
  const auto made = make_schema_language(R"({"items": {"format": "isbn"}})");
  REQUIRE(made.ignored.size() == 1);
  CHECK(made.ignored[0].keyword == "format");
  CHECK(made.ignored[0].path == "#/items");
}

TEST_CASE("by default, objects have only listed keys, and white space one byte", "[grammar][schema]") {
  struct Case {
    std::string schema;
    std::vector<std::string> accepted, rejected;
  };
  const std::string a = R"({"type":"object","properties":{"a":{}}})", b = R"({"type":"object","properties":{"b":{}}})";
  const std::vector<Case> cases = {
      {a, {"{}", R"({"a":1})", R"({ "a": {"x":[1, 2]}})"}, {R"({"b":1})", R"({"a":1,"b":2})", R"({  "a":1})"}},
      {R"({"properties":{"a":{}},"required":["c"]})", {R"({"a":1,"c":2})", "5"}, {R"({"b":1,"c":1})"}},
      // In nested values, and after references, also recursive ones.
      {R"({"items":)" + a + R"(,"additionalProperties":)" + a + "}",
       {R"([{"a":1}])", R"({"z":{"a":1}})"},
       {R"([{"b":1}])", R"({"z":{"b":1}})"}},
      {R"({"$ref":"#/$defs/n","$defs":{"n":{"properties":{"of":{"$ref":"#/$defs/n"}},"additionalProperties":false}}})",
       {R"({"of":{"of":{}}})"},
       {R"({"of":{"x":{}}})"}},
      {R"({"$ref":"#/$defs/n","$defs":{"n":{"properties":{"of":{"$ref":"#/$defs/n"}}}}})",
       {R"({"of":{"of":{}}})"},
       {R"({"of":{"x":{}}})"}},
      // Alternatives are closed separately; subschemas of the same value, together.
      {"{\"anyOf\":[" + a + "," + b + "]}", {R"({"a":1})", R"({"b":1})"}, {R"({"a":1,"b":1})", R"({"c":1})"}},
      {R"({"oneOf":[{"properties":{"k":{"const":1},"x":{}},"required":["k"]},{"properties":{"k":{"const":2},"y":{}},"required":["k"]}]})",
       {R"({"k":1,"x":0})", R"({"k":2,"y":0})"},
       {R"({"k":1,"y":0})", R"({"k":1,"z":0})"}},
      {"{\"allOf\":[" + a + "," + b + "]}", {R"({"a":1,"b":2})"}, {R"({"a":1,"c":2})"}},
      {"{\"allOf\":[" + a + "]}", {R"({"a":1})"}, {R"({"c":2})"}},
      {R"({"properties":{"a":{}},"anyOf":[{"required":["a"]},{"required":["b"]}]})",
       {R"({"a":1,"b":2})", R"({"b":2})"},
       {"{}", R"({"a":1,"c":2})"}},
      {R"({"properties":{"a":{}},"if":{"required":["a"]},"then":{"properties":{"b":{}},"required":["b"]}})",
       {R"({"a":1,"b":2})", "{}"},
       {R"({"a":1})", R"({"c":1})"}},
      {R"({"properties":{"a":{}},"dependentRequired":{"a":["b"]}})", {R"({"a":1,"b":2})"}, {R"({"a":1})", R"({"c":1})"}},
      {R"({"properties":{"a":{}},"dependentSchemas":{"a":{"properties":{"b":{}},"required":["b"]}}})",
       {R"({"a":1,"b":2})"},
       {R"({"a":1,"b":2,"c":3})"}},
      // Schemas with keywords about other keys stay as they are.
      {R"({"properties":{"a":{}},"additionalProperties":true})", {R"({"c":1})"}, {}},
      {R"({"properties":{"a":{}},"additionalProperties":{"type":"null"}})", {R"({"c":null})"}, {R"({"c":1})"}},
      {R"({"properties":{"a":{}},"patternProperties":{"^x":{}}})", {R"({"x":1})", R"({"c":1})"}, {}},
      {R"({"properties":{"a":{}},"propertyNames":{"maxLength":1}})", {R"({"c":1})"}, {R"({"cc":1})"}},
      {R"({"properties":{"a":{}},"unevaluatedProperties":{"type":"null"}})", {R"({"c":null})"}, {R"({"c":1})"}},
      {R"({"allOf":[{"properties":{"a":{}}},{"additionalProperties":{"type":"null"}}]})", {R"({"c":null})"}, {R"({"c":1})"}},
      {R"({"properties":{"a":{}},"minProperties":2})", {R"({"a":1,"c":1})"}, {R"({"a":1})"}},
      {R"({"properties":{"a":{}},"const":{"a":1,"b":2}})", {R"({"a":1,"b":2})"}, {}},
      {R"({"type":"object"})", {R"({"c":1})"}, {}},
      {"{}", {R"({"c":1})"}, {}},
      // Negated schemas and overlapping alternatives stay open: closing them would accept invalid values.
      {R"({"not":{"properties":{"a":{"properties":{"b":{}},"required":["b"]}},"required":["a"]}})",
       {"{}"},
       {R"({"a":{"b":1}})", R"({"a":{"b":1,"c":1}})"}},
      {R"({"properties":{"x":{"not":{"properties":{"b":{}},"required":["b"]}}}})", {R"({"x":{}})"}, {R"({"x":{"b":1,"c":1}})"}},
      {R"({"contains":{"properties":{"b":{}},"required":["b"]},"maxContains":1})",
       {R"([{"b":1}])"},
       {R"([{"b":1},{"b":1,"c":1}])"}},
      {R"({"oneOf":[{"properties":{"a":{}},"required":["a"]},{"properties":{"b":{}}}]})", {R"({"b":1})"}, {R"({"a":1})"}},
  };
  for (const auto& [schema, accepted, rejected] : cases) {
    INFO(schema);
    SchemaTexts texts(schema, read_schema_options("{}")), open(schema);
    for (const std::string& text : accepted) {
      INFO(text);
      CHECK(texts.accepts(text));
      CHECK(open.accepts(text));
    }
    for (const std::string& text : rejected) {
      INFO(text);
      CHECK_FALSE(texts.accepts(text));
    }
  }
  CHECK(SchemaTexts(a, read_schema_options(R"({"closed": false})")).accepts(R"({"b":1})"));
  CHECK(SchemaTexts(a, read_schema_options(R"({"whitespace": "any"})")).accepts(R"({    "a":1})"));
  CHECK(SchemaTexts(a, read_schema_options(R"({"maxWhitespace": 2, "whitespace": "any"})")).accepts(R"({  "a":1})"));
  CHECK_FALSE(SchemaTexts(a, read_schema_options(R"({"maxWhitespace": 2, "whitespace": "any"})")).accepts(R"({   "a":1})"));
}

TEST_CASE("malformed and unsupported keywords are refused with their position", "[grammar][schema]") {
  CHECK(refused_as(R"({"properties": {"a": {"type": "strnig"}}})") == "invalid type #/properties/a");
  CHECK(refused_as(R"({"items": {"pattern": "(a"}})") == "invalid pattern #/items");
  CHECK(refused_as(R"({"pattern": "(?<=a)b"})") == "unsupported pattern #");
  CHECK(refused_as(R"({"anyOf": []})") == "invalid anyOf #");
  CHECK(refused_as(R"({"multipleOf": 0})") == "invalid multipleOf #");
  CHECK(refused_as(R"({"minItems": -1})") == "invalid minItems #");
  CHECK(refused_as(R"({"properties": {"a": 1}})") == "invalid properties #");
  CHECK(refused_as(R"({"not": {"items": {"uniqueItems": true}}})") == "unsupported not #");
  CHECK(refused_as("false") == "unsatisfiable false #");
  CHECK(refused_as(R"({"type": "object", "required": ["a"], "properties": {"a": false}})") == "unsatisfiable type #");
  CHECK(refused_as(R"({"a": 1, "a": 2})").starts_with("invalid "));
  CHECK(refused_as("{").starts_with("invalid "));
  CHECK(refused_as("1").starts_with("invalid "));
  CHECK(refused_as(std::string(600, '[') + std::string(600, ']')).starts_with("too-large "));
}

TEST_CASE("large schemas and repeats are not unrolled", "[grammar][schema]") {
  SchemaTexts text(R"({"type": "string", "maxLength": 100000})");
  CHECK(text.accepts("\"" + std::string(100000, 'x') + "\""));
  CHECK_FALSE(text.accepts("\"" + std::string(100001, 'x') + "\""));
  std::string schema = R"({"type": "object", "additionalProperties": false, "properties": {)";
  for (int i = 0; i < 3000; ++i)
    schema += "\"property" + std::to_string(i) +
              "\": {\"type\": \"array\", \"items\": {\"type\": \"string\", \"maxLength\": 500}},";
  SchemaTexts many(schema + "\"last\": {}}}");
  CHECK(many.accepts(R"({"property7":["a"],"property2999":[],"last":1})"));
  CHECK_FALSE(many.accepts(R"({"property3000":[]})"));
}

// Compares random schemas with the validator.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "unit/grammar/schema/random_text.hpp"
#include "unit/grammar/schema/texts.hpp"
#include "unit/grammar/schema/validator.hpp"

using namespace heed::grammar;
using heed::test::SchemaTexts;
using nlohmann::ordered_json;

namespace {

class RandomSchemas {
 public:
  explicit RandomSchemas(unsigned seed) : random_(seed) {}

  std::size_t below(std::size_t count) { return random_() % count; }
  bool chance(std::size_t one_in) { return below(one_in) == 0; }
  std::mt19937& numbers() { return random_; }

  ordered_json value(int depth) {
    switch (below(depth > 0 ? 10 : 7)) {
      case 0: return nullptr;
      case 1: return chance(2);
      case 2:
      case 3: return below(4);
      case 4: return 1.5;
      case 5:
      case 6: return text();
      case 7:
      case 8: {
        ordered_json object = ordered_json::object();
        for (const char* key : {"a", "ab", "b", "c"})
          if (chance(2)) object[key] = value(depth - 1);
        return object;
      }
      default: {
        ordered_json array = ordered_json::array();
        for (std::size_t i = below(4); i > 0; --i) array.push_back(value(depth - 1));
        return array;
      }
    }
  }

  ordered_json schema(int depth) {
    if (chance(12)) return chance(3) ? ordered_json(false) : ordered_json(true);
    ordered_json schema = ordered_json::object();
    for (std::size_t i = 1 + below(3); i > 0; --i) add(schema, depth);
    return schema;
  }

 private:
  std::string text() { return std::vector<std::string>{"", "a", "b", "ab", "abc"}[below(5)]; }
  std::string key() { return std::vector<std::string>{"a", "b", "ab", "c"}[below(4)]; }

  ordered_json schemas(int depth) {
    ordered_json list = ordered_json::array();
    for (std::size_t i = 1 + below(3); i > 0; --i) list.push_back(schema(depth - 1));
    return list;
  }

  void add(ordered_json& schema, int depth) {
    const auto type = [&] {
      return std::vector<std::string>{"null", "boolean", "integer", "number", "string", "array", "object"}[below(7)];
    };
    switch (below(depth > 0 ? 26 : 8)) {
      case 0: schema["type"] = type(); break;
      case 1: schema["type"] = ordered_json::array({"object", type()}); break;
      case 2: schema["const"] = value(1); break;
      case 3: schema["enum"] = ordered_json::array({value(2), value(1), value(0)}); break;
      case 4: schema["minimum"] = below(3); break;
      case 5: schema["exclusiveMaximum"] = 1 + below(3); break;
      case 6: schema[chance(2) ? "minLength" : "maxLength"] = below(3); break;
      case 7: schema["pattern"] = chance(2) ? "a" : "b"; break;
      case 8: schema["allOf"] = schemas(depth); break;
      case 9: schema["anyOf"] = schemas(depth); break;
      case 10: schema["oneOf"] = schemas(depth); break;
      case 11: schema["not"] = this->schema(depth - 1); break;
      case 12:
        schema["if"] = this->schema(depth - 1);
        schema[chance(2) ? "then" : "else"] = this->schema(depth - 1);
        break;
      case 13: schema[chance(2) ? "minItems" : "maxItems"] = below(4); break;
      case 14: schema["prefixItems"] = schemas(depth); break;
      case 15: schema["items"] = this->schema(depth - 1); break;
      case 16:
        schema["contains"] = this->schema(depth - 1);
        if (chance(2)) schema["minContains"] = below(3);
        if (chance(2)) schema["maxContains"] = 1 + below(2);
        break;
      case 17: schema["uniqueItems"] = true; break;
      case 18: schema[chance(2) ? "minProperties" : "maxProperties"] = below(4); break;
      case 19: schema["required"] = chance(2) ? ordered_json::array({key()}) : ordered_json::array({"a", "b"}); break;
      case 20: schema["dependentRequired"][key()] = ordered_json::array({key()}); break;
      case 21: schema["dependentSchemas"][key()] = this->schema(depth - 1); break;
      case 22: schema["propertyNames"] = this->schema(0); break;
      case 23: schema["patternProperties"][chance(2) ? "a" : "b"] = this->schema(depth - 1); break;
      case 24: schema["additionalProperties"] = this->schema(depth - 1); break;
      default: schema["properties"][key()] = this->schema(depth - 1); schema["properties"][key()] = this->schema(depth - 1);
    }
  }

  std::mt19937 random_;
};

}  // namespace

TEST_CASE("random schemas accept exactly the valid values", "[grammar][schema]") {
  RandomSchemas random(7);
  std::vector<ordered_json> values;
  for (int i = 0; i < 150; ++i) values.push_back(random.value(3));
  int held = 0, texts_read = 0;
  for (int round = 0; round < 1500; ++round) {
    const ordered_json schema = random.schema(3);
    INFO(schema.dump());
    try {
      SchemaTexts texts(schema.dump(), R"({"order": "any"})");
      for (const ordered_json& value : values) {
        INFO(value.dump());
        CHECK(texts.accepts(value.dump()) == heed::test::is_valid(schema, value));
      }
      for (int walk = 0; walk < 4; ++walk) {
        const std::string text = heed::test::random_text(texts, random.numbers());
        if (text.empty() || heed::test::has_long_number(text)) continue;
        INFO(text);
        REQUIRE(ordered_json::accept(text));
        CHECK(heed::test::is_valid(schema, ordered_json::parse(text)));
        ++texts_read;
      }
      ++held;
    } catch (const Refusal& refusal) {
      INFO(refusal.message);
      const bool expected = refusal.code == "unsatisfiable" || refusal.code == "too-large" ||
                            refusal.message == "uniqueItems cannot be negated";
      CHECK(expected);
      if (refusal.code == "unsatisfiable")
        CHECK(std::ranges::none_of(values, [&](const ordered_json& value) { return heed::test::is_valid(schema, value); }));
    }
  }
  CHECK(held > 1000);
  CHECK(texts_read > 2000);
}

TEST_CASE("with default options, random schemas accept only valid values, and at least one if any is valid", "[grammar][schema]") {
  RandomSchemas random(11);
  std::vector<ordered_json> values;
  for (int i = 0; i < 100; ++i) values.push_back(random.value(3));
  int closed = 0, texts_read = 0;
  for (int round = 0; round < 1500; ++round) {
    const ordered_json schema = random.schema(4);
    INFO(schema.dump());
    try {
      SchemaTexts open(schema.dump(), R"({"order": "any"})");
      SchemaTexts texts(schema.dump(), read_schema_options(R"({"order": "any"})"));
      for (const ordered_json& value : values) {
        INFO(value.dump());
        if (texts.accepts(value.dump())) CHECK(heed::test::is_valid(schema, value));
        else if (open.accepts(value.dump())) ++closed;
      }
      for (int walk = 0; walk < 4; ++walk) {
        const std::string text = heed::test::random_text(texts, random.numbers());
        if (text.empty() || heed::test::has_long_number(text)) continue;
        INFO(text);
        REQUIRE(ordered_json::accept(text));
        CHECK(heed::test::is_valid(schema, ordered_json::parse(text)));
        ++texts_read;
      }
    } catch (const Refusal& refusal) {
      INFO(refusal.message);
      if (refusal.code == "unsatisfiable")
        CHECK(heed::test::refused_as(schema.dump(), R"({"order": "any"})") ==
              refusal.code + " " + refusal.keyword + " " + refusal.path);
    }
  }
  CHECK(closed > 100);
  CHECK(texts_read > 2000);
}

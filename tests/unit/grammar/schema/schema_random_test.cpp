// Random schemas, against a validator that follows the specification word by word.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "unit/grammar/schema/texts.hpp"

using namespace heed::grammar;
using heed::test::SchemaTexts;
using nlohmann::ordered_json;

namespace {

bool is_whole(const ordered_json& value) { return value.is_number() && std::floor(value.get<double>()) == value.get<double>(); }

bool equal_values(const ordered_json& a, const ordered_json& b) {
  if (a.is_number() && b.is_number()) return a.get<double>() == b.get<double>();
  if (a.type() != b.type() || a.size() != b.size()) return false;
  if (a.is_array()) return std::equal(a.begin(), a.end(), b.begin(), equal_values);
  if (!a.is_object()) return a == b;
  return std::ranges::all_of(a.items(),
                             [&](const auto& item) { return b.contains(item.key()) && equal_values(item.value(), b[item.key()]); });
}

bool has_type(const std::string& type, const ordered_json& value) {
  return type == "integer" ? is_whole(value) : type == "number" ? value.is_number() : type == value.type_name();
}

// Patterns of these tests are single letters.
bool pattern_matches(const std::string& pattern, const std::string& text) { return text.find(pattern) != std::string::npos; }

bool is_valid(const ordered_json& schema, const ordered_json& value) {
  if (schema.is_boolean()) return schema.get<bool>();
  const auto count = [&](const auto& schemas) {
    return std::ranges::count_if(schemas, [&](const ordered_json& one) { return is_valid(one, value); });
  };
  for (const auto& [word, what] : schema.items()) {
    bool holds = true;
    if (word == "type") {
      holds = what.is_string() ? has_type(what, value)
                               : std::ranges::any_of(what, [&](const ordered_json& type) { return has_type(type, value); });
    } else if (word == "const") {
      holds = equal_values(what, value);
    } else if (word == "enum") {
      holds = std::ranges::any_of(what, [&](const ordered_json& one) { return equal_values(one, value); });
    } else if (word == "minimum") {
      holds = !value.is_number() || value.get<double>() >= what.get<double>();
    } else if (word == "exclusiveMaximum") {
      holds = !value.is_number() || value.get<double>() < what.get<double>();
    } else if (word == "minLength") {
      holds = !value.is_string() || value.get<std::string>().size() >= what.get<std::size_t>();
    } else if (word == "maxLength") {
      holds = !value.is_string() || value.get<std::string>().size() <= what.get<std::size_t>();
    } else if (word == "pattern") {
      holds = !value.is_string() || pattern_matches(what, value);
    } else if (word == "allOf") {
      holds = count(what) == static_cast<std::ptrdiff_t>(what.size());
    } else if (word == "anyOf") {
      holds = count(what) > 0;
    } else if (word == "oneOf") {
      holds = count(what) == 1;
    } else if (word == "not") {
      holds = !is_valid(what, value);
    } else if (word == "if") {
      const char* branch = is_valid(what, value) ? "then" : "else";
      holds = !schema.contains(branch) || is_valid(schema[branch], value);
    } else if (value.is_array()) {
      if (word == "minItems") holds = value.size() >= what;
      if (word == "maxItems") holds = value.size() <= what;
      if (word == "uniqueItems" && what.get<bool>())
        for (std::size_t i = 0; i < value.size(); ++i)
          for (std::size_t j = 0; j < i; ++j) holds &= !equal_values(value[i], value[j]);
      if (word == "prefixItems")
        for (std::size_t i = 0; i < std::min(value.size(), what.size()); ++i) holds &= is_valid(what[i], value[i]);
      if (word == "items")
        for (std::size_t i = schema.value("prefixItems", ordered_json::array()).size(); i < value.size(); ++i)
          holds &= is_valid(what, value[i]);
      if (word == "contains") {
        const auto matches = std::ranges::count_if(value, [&](const ordered_json& item) { return is_valid(what, item); });
        holds = matches >= schema.value("minContains", 1) && matches <= schema.value("maxContains", 1000);
      }
    } else if (value.is_object()) {
      if (word == "minProperties") holds = value.size() >= what;
      if (word == "maxProperties") holds = value.size() <= what;
      if (word == "required") holds = std::ranges::all_of(what, [&](const std::string& key) { return value.contains(key); });
      if (word == "dependentRequired")
        for (const auto& [key, others] : what.items())
          if (value.contains(key))
            holds &= std::ranges::all_of(others, [&](const std::string& other) { return value.contains(other); });
      if (word == "dependentSchemas")
        for (const auto& [key, other] : what.items()) holds &= !value.contains(key) || is_valid(other, value);
      for (const auto& [key, member] : value.items()) {
        if (word == "propertyNames") holds &= is_valid(what, key);
        if (word == "properties" && what.contains(key)) holds &= is_valid(what[key], member);
        if (word == "patternProperties")
          for (const auto& [pattern, one] : what.items()) holds &= !pattern_matches(pattern, key) || is_valid(one, member);
        if (word != "additionalProperties") continue;
        bool evaluated = schema.contains("properties") && schema["properties"].contains(key);
        const ordered_json patterns = schema.value("patternProperties", ordered_json::object());
        for (const auto& [pattern, one] : patterns.items()) evaluated |= pattern_matches(pattern, key);
        holds &= evaluated || is_valid(what, member);
      }
    }
    if (!holds) return false;
  }
  return true;
}

// The validator compares numbers as doubles.
bool has_long_number(const std::string& text) {
  std::size_t digits = 0;
  return std::ranges::any_of(text, [&](char c) {
    if (digits > 0 && (c == 'e' || c == 'E')) return true;
    digits = (c >= '0' && c <= '9') || c == '.' ? digits + 1 : 0;
    return digits > 15;
  });
}

class RandomSchemas {
 public:
  explicit RandomSchemas(unsigned seed) : random_(seed) {}

  std::size_t below(std::size_t count) { return random_() % count; }
  bool chance(std::size_t one_in) { return below(one_in) == 0; }

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

// A text of random bytes, of which each is one that the language allows; "" where it does not end soon.
std::string random_text(SchemaTexts& texts, RandomSchemas& random) {
  Language& language = texts.language();
  language.budget().refill();
  State state = language.start();
  std::string text;
  while (text.size() < 160) {
    if (language.accepts(state) && random.chance(2)) return text;
    // Texts end sooner without more digits, letters and spaces than there must be.
    std::string closing, other;
    for (const char byte : std::string("]}\",:0123456789.-tfnrueals[{bc \\")) {
      if (language.step(state, static_cast<std::uint8_t>(byte)) == State::kDead) continue;
      (std::string("]}\",:").find(byte) != std::string::npos ? closing : other) += byte;
    }
    if (closing.empty() && other.empty())
      for (int byte = 0; byte < 256; ++byte)
        if (language.step(state, static_cast<std::uint8_t>(byte)) != State::kDead) other += static_cast<char>(byte);
    if (closing.empty() && other.empty()) {
      INFO(text);
      CHECK(language.accepts(state));  // otherwise it is a dead end
      return language.accepts(state) ? text : "";
    }
    const std::string& bytes = other.empty() || (!closing.empty() && !random.chance(3)) ? closing : other;
    text += bytes[random.below(bytes.size())];
    state = language.step(state, static_cast<std::uint8_t>(text.back()));
  }
  return language.accepts(state) ? text : "";
}

}  // namespace

TEST_CASE("random schemas accept what is valid, and nothing else", "[grammar][schema]") {
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
        CHECK(texts.accepts(value.dump()) == is_valid(schema, value));
      }
      for (int walk = 0; walk < 4; ++walk) {
        const std::string text = random_text(texts, random);
        if (text.empty() || has_long_number(text)) continue;
        INFO(text);
        REQUIRE(ordered_json::accept(text));
        CHECK(is_valid(schema, ordered_json::parse(text)));
        ++texts_read;
      }
      ++held;
    } catch (const Refusal& refusal) {
      INFO(refusal.message);
      const bool expected = refusal.code == "unsatisfiable" || refusal.code == "too-large" ||
                            refusal.message == "uniqueItems cannot be negated";
      CHECK(expected);
      if (refusal.code == "unsatisfiable")
        CHECK(std::ranges::none_of(values, [&](const ordered_json& value) { return is_valid(schema, value); }));
    }
  }
  CHECK(held > 1000);
  CHECK(texts_read > 2000);
}

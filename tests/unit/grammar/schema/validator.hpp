// A reference validator that follows the specification literally, for values of nlohmann's library.
#pragma once

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

namespace heed::test {

using nlohmann::ordered_json;

inline bool is_whole(const ordered_json& value) {
  return value.is_number() && std::floor(value.get<double>()) == value.get<double>();
}

inline bool equal_values(const ordered_json& a, const ordered_json& b) {
  if (a.is_number() && b.is_number()) return a.get<double>() == b.get<double>();
  if (a.type() != b.type() || a.size() != b.size()) return false;
  if (a.is_array()) return std::equal(a.begin(), a.end(), b.begin(), equal_values);
  if (!a.is_object()) return a == b;
  return std::ranges::all_of(a.items(),
                             [&](const auto& item) { return b.contains(item.key()) && equal_values(item.value(), b[item.key()]); });
}

inline bool has_type(const std::string& type, const ordered_json& value) {
  return type == "integer" ? is_whole(value) : type == "number" ? value.is_number() : type == value.type_name();
}

// The tests' patterns are single letters.
inline bool pattern_matches(const std::string& pattern, const std::string& text) { return text.find(pattern) != std::string::npos; }

inline bool is_valid(const ordered_json& schema, const ordered_json& value) {
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

/// Whether a number has too many digits for the validator, which compares numbers as doubles.
inline bool has_long_number(const std::string& text) {
  std::size_t digits = 0;
  return std::ranges::any_of(text, [&](char c) {
    if (digits > 0 && (c == 'e' || c == 'E')) return true;
    digits = (c >= '0' && c <= '9') || c == '.' ? digits + 1 : 0;
    return digits > 15;
  });
}

}  // namespace heed::test

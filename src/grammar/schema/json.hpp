// JSON texts (RFC 8259) as values that keep what schemas need: members in order of appearance, numbers as they are spelled.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "grammar/budget.hpp"

namespace heed::grammar {

struct JsonMember;

struct Json {
  enum class Kind : std::uint8_t { null, boolean, number, string, array, object };

  Kind kind = Kind::null;
  bool truth = false;
  std::string text;                 // a string's characters in UTF-8; a number as it is spelled
  std::vector<Json> items;          // of an array
  std::vector<JsonMember> members;  // of an object; their keys differ

  bool is(Kind other) const noexcept { return kind == other; }
  /// The member's value, or nullptr: no object, or no such key.
  const Json* find(std::string_view key) const noexcept;
};

struct JsonMember {
  std::string key;
  Json value;
};

inline const Json* Json::find(std::string_view key) const noexcept {
  for (const JsonMember& member : members)
    if (member.key == key) return &member.value;
  return nullptr;
}

/// Reads one text. Throws Refusal: `invalid` for what is not JSON, is not UTF-8, has a lone surrogate or a key twice; `too-large`
/// for more than 500 levels.
///
///     const Json schema = read_json(R"({"type": "string"})", budget);
Json read_json(std::string_view text, Budget& budget);

/// As JSON.stringify writes it, but numbers as they are spelled.
std::string write_json(const Json& value);
/// Appends a JSON string with its quotes, in canonical spelling: only what must be escaped is.
void append_json_string(std::string& out, std::string_view text);

/// Appends one token of a JSON Pointer: "/" and the key, escaped.
void append_pointer(std::string& out, std::string_view key);

}  // namespace heed::grammar

// JSON values (RFC 8259) that keep the order of members and the spelling of numbers.
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
  std::string text;                 // string: its characters in UTF-8; number: its spelling
  std::vector<Json> items;          // array
  std::vector<JsonMember> members;  // object; keys are unique

  bool is(Kind other) const noexcept { return kind == other; }
  /// The value of a member; nullptr if there is none, or if this is not an object.
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

/// Parses one text. Throws Refusal: `invalid` for malformed JSON or UTF-8, lone surrogates and duplicate keys; `too-large` for more
/// than 500 levels.
///
///     const Json schema = read_json(R"({"type": "string"})", budget);
Json read_json(std::string_view text, Budget& budget);

/// Like JSON.stringify, but keeps the spelling of numbers.
std::string write_json(const Json& value);
/// Appends a JSON string with quotes, in canonical spelling (only necessary escapes).
void append_json_string(std::string& out, std::string_view text);

/// Appends one reference token of a JSON Pointer: "/" and the escaped key.
void append_pointer(std::string& out, std::string_view key);

}  // namespace heed::grammar

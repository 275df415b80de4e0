// Options of schemas: how texts are written, and how strictly the schema is read.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "grammar/schema/object_paths.hpp"

namespace heed::grammar {

struct Whitespace {
  enum class Kind : std::uint8_t { any, compact, indented };

  Kind kind = Kind::any;
  std::uint32_t limit = 1;   // kind any: bytes of white space in one place
  std::uint32_t indent = 0;  // kind indented: spaces per level
};

enum class Formats : std::uint8_t {
  known,     // formats that a draft defines are enforced, others ignored
  strict,    // formats that a draft defines are enforced, others refused
  annotate,  // all formats are ignored
};

/// Whether objects and arrays are closed: they may have no keys and elements that the schema does not mention.
enum class Closed : std::uint8_t {
  listed,  // objects whose keys the schema lists are closed, unless it has keywords about unlisted keys
  yes,     // absent additionalProperties and items count as false
  no,      // all keys and elements are allowed that JSON Schema allows
};

struct SchemaOptions {
  Whitespace whitespace;
  KeyOrder order = KeyOrder::schema;
  bool any_escapes = true;  // allows unnecessary escapes in strings that are restricted only in length
  Formats formats = Formats::known;
  Closed closed = Closed::listed;
  std::vector<std::pair<std::string, std::string>> schemas;  // URIs and texts of further documents for $ref
};

/// Parses {"whitespace", "maxWhitespace", "order", "escapes", "formats", "closed", "schemas"}. All are optional, with defaults in
/// `absent`; a document in "schemas" may also be a string with its text. Throws Refusal (invalid; keyword is the option) for an
/// unknown option or value.
///
///     read_schema_options(R"({"whitespace": {"indent": 2}, "order": "any"})")
SchemaOptions read_schema_options(std::string_view json, SchemaOptions absent = {});

/// The default options, but with more white space and with keys that the schema does not mention. The language then has all valid
/// values, with keys in the schema's order.
SchemaOptions whole_language();

}  // namespace heed::grammar

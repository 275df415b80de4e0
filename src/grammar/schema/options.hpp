// How the texts of a schema are written, and how strictly the schema is read.
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
  std::uint32_t limit = 1;   // bytes in one gap, of kind any
  std::uint32_t indent = 0;  // spaces a level, of kind indented
};

enum class Formats : std::uint8_t {
  known,     // those that a draft defines are held, others are annotations
  strict,    // others are refused
  annotate,  // all are annotations
};

/// Whether an object or an array may have what a schema does not speak of.
enum class Closed : std::uint8_t {
  listed,  // objects whose keys are listed have no others, unless the schema speaks of others
  yes,     // absent additionalProperties and items are false
  no,      // anything goes
};

struct SchemaOptions {
  Whitespace whitespace;
  KeyOrder order = KeyOrder::schema;
  bool any_escapes = true;  // strings that only their length restricts may be escaped where they need not be
  Formats formats = Formats::known;
  Closed closed = Closed::listed;
  std::vector<std::pair<std::string, std::string>> schemas;  // URIs and texts of documents that $ref may name
};

/// Reads {"whitespace", "maxWhitespace", "order", "escapes", "formats", "closed", "schemas"}, each of which may be absent and then is as in
/// `absent`; a schema of another document may be given as its text. Throws Refusal (invalid; keyword is the option) for an unknown option or value.
///
///     read_schema_options(R"({"whitespace": {"indent": 2}, "order": "any"})")
SchemaOptions read_schema_options(std::string_view json, SchemaOptions absent = {});

/// With what the options of a text that is written leave out: white space in all gaps, and keys that nothing speaks of. So a schema's
/// language has all that is valid under it, with the keys in its order.
SchemaOptions whole_language();

}  // namespace heed::grammar

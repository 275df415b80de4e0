// Why no constraint is made of a schema, an expression or a grammar: thrown by all front ends, and shown to who wrote it.
#pragma once

#include <exception>
#include <string>
#include <utility>

namespace heed::grammar {

/// Says what cannot be held, and where it stands:
///
///     throw Refusal{"unsupported", "(?<=", "7", "lookbehinds are not supported"};
struct Refusal final : std::exception {
  Refusal(std::string code, std::string keyword, std::string path, std::string message)
      : code(std::move(code)), keyword(std::move(keyword)), path(std::move(path)), message(std::move(message)) {}

  const char* what() const noexcept override { return message.c_str(); }

  std::string code;     // "unsupported", "invalid" (no schema, expression or grammar), "unsatisfiable" (no text) or "too-large"
  std::string keyword;  // the word of the schema, the construct of the expression, the rule of the grammar; may be empty
  std::string path;     // "#/properties/a" in a schema, an offset in code points in an expression, "line:column" in a grammar
  std::string message;  // one plain sentence
};

}  // namespace heed::grammar

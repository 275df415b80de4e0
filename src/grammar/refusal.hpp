// The error of a constraint that cannot be compiled or takes too much work, shown to its author.
#pragma once

#include <exception>
#include <string>
#include <utility>

namespace heed::grammar {

/// Names the offending construct and its position:
///
///     throw Refusal{"unsupported", "(?<=", "7", "lookbehinds are not supported"};
struct Refusal final : std::exception {
  Refusal(std::string code, std::string keyword, std::string path, std::string message)
      : code(std::move(code)), keyword(std::move(keyword)), path(std::move(path)), message(std::move(message)) {}

  const char* what() const noexcept override { return message.c_str(); }

  std::string code;     // "unsupported", "invalid" (malformed), "unsatisfiable" (matches no text) or "too-large"
  std::string keyword;  // a keyword of a schema, a construct of an expression, a rule of a grammar; may be empty
  std::string path;     // "#/properties/a" in a schema, an offset in code points in an expression, "line:column" in a grammar
  std::string message;  // one plain sentence
};

}  // namespace heed::grammar

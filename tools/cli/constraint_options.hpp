// The options that constrain a generated text.
#pragma once

#include <memory>
#include <string>

#include "grammar/schema/options.hpp"
#include "sampling/constraint.hpp"
#include "tokenizer/tokenizer.hpp"

namespace heed::cli {

struct ConstraintOptions {
  std::string json_schema, regex, grammar;  // at most one; the first and the last are the names of files
  grammar::Whitespace whitespace;
  grammar::Closed closed = grammar::Closed::listed;

  bool given() const noexcept { return !json_schema.empty() || !regex.empty() || !grammar.empty(); }
  /// A constraint for one text; null if none was given. Throws Error: io if a file cannot be read, and invalid_argument or
  /// unsupported, naming the keyword and its place, for a constraint that is refused.
  std::unique_ptr<sampling::Constraint> constraint(const tokenizer::Tokenizer& tokenizer) const;
};

}  // namespace heed::cli

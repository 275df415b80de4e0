// The options that constrain a generated text.
#pragma once

#include <memory>
#include <string>

#include <CLI/CLI.hpp>

#include "grammar/schema/options.hpp"
#include "sampling/constraint.hpp"
#include "tokenizer/tokenizer.hpp"

namespace heed::cli {

struct ConstraintOptions {
  std::string schema_file, regex, grammar_file;  // at most one
  grammar::Whitespace whitespace;
  grammar::Closed closed = grammar::Closed::listed;

  void add_to(CLI::App& command);
  bool given() const noexcept { return !schema_file.empty() || !regex.empty() || !grammar_file.empty(); }
  /// A constraint for one text; null if none was given. Throws Error: io if a file cannot be read, and invalid_argument or
  /// unsupported, naming the keyword and its place, for a constraint that is refused.
  std::unique_ptr<sampling::Constraint> constraint(const tokenizer::Tokenizer& tokenizer) const;
};

}  // namespace heed::cli

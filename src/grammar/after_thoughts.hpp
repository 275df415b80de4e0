// Texts of a language after a model's reasoning, which is free.
#pragma once

#include <memory>
#include <string>

#include "grammar/language.hpp"

namespace heed::grammar {

/// The markers around reasoning, such as <think> and </think>.
struct Thoughts {
  std::string open, close;  // not empty
  bool begun = false;       // the prompt has opened it: the text begins inside
};

/// Reasoning, at most 16 bytes of white space, and a text of `language`. Without `begun`, reasoning begins with `open` and may be absent.
/// Reasoning has any bytes but `close`, and the text cannot end in it.
///
///     auto language = make_language_after_thoughts(make_regular_language("yes|no"), {"<think>", "</think>"});
std::unique_ptr<Language> make_language_after_thoughts(std::unique_ptr<Language> language, Thoughts thoughts);

}  // namespace heed::grammar

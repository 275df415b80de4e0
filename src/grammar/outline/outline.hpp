// A text in parts, some of them free: reasoning before an answer in a form, calls of tools between other text.
#pragma once

#include <memory>
#include <string_view>

#include "grammar/masks/token_texts.hpp"
#include "grammar/schema/schema.hpp"

namespace heed::grammar {

/// The language of an outline, given as JSON. An outline is one of:
///
///     "text"                                                 this text
///     {"control": "<|call|>"}                                this text, in which the texts of control tokens are these tokens
///     [outline, ...]                                         one after the other
///     {"oneOf": [outline, ...]}
///     {"many": outline}                                      any number of times, perhaps none
///     {"inOrder": [outline | {"optional": outline}, ...], "by": outline}
///                                                            all that are not optional, and any others, with `by` between any two
///     {"notation": "schema" | "regex" | "gbnf", "text": …, "options": …, "name": …}
///                                                            a text of a form; a refusal of it begins with its name
///     {"until": [{"marker": "</think>", "next": outline}]}   any text up to the first marker in it, the marker, and what follows it;
///                                                            a marker is read as "control" is, and "next" may be absent
///     {"free": [{"marker": "<call>", "next": outline}]}      any text and any control tokens, with what follows a marker after each
///     {"once": [{"marker": "<call>", "next": outline}]}      the same up to the first marker in it, with which, and what follows it, it ends
///
/// Throws Refusal: `invalid` for what is no outline, and as the function of each notation does.
///
///     make_outline_language(R"([{"until": [{"marker": "</think>"}]}, {"notation": "regex", "text": "yes|no"}])", table.trie().texts())
SchemaLanguage make_outline_language(std::string_view outline, const TokenTexts& vocabulary);

}  // namespace heed::grammar

// Constraints on parts of a text, with free text between them: reasoning before a constrained answer, tool calls between other
// text.
#pragma once

#include <memory>
#include <string_view>

#include "grammar/masks/token_texts.hpp"
#include "grammar/schema/schema.hpp"

namespace heed::grammar {

/// The language of an outline, given as JSON. An outline is one of:
///
///     "text"                                                 this text
///     {"control": "<|call|>"}                                this text, with the texts of control tokens read as these tokens
///     [outline, ...]                                         one after the other
///     {"oneOf": [outline, ...]}
///     {"many": outline}                                      any number of times, perhaps none
///     {"inOrder": [outline | {"optional": outline}, ...], "by": outline}
///                                                            all required items and any of the optional ones, separated by `by`
///     {"notation": "schema" | "regex" | "gbnf", "text": …, "options": …, "name": …}
///                                                            a constraint; messages about it begin with its name
///     {"until": [{"marker": "</think>", "next": outline}]}   any text up to the first marker, the marker, its "next" if present;
///                                                            markers may contain control tokens, as "control" may
///     {"free": [{"marker": "<call>", "next": outline}]}      any text and control tokens; each marker is followed by its "next"
///     {"once": [{"marker": "<call>", "next": outline}]}      as "free", but ends after the first marker and its "next"
///
/// Throws Refusal: `invalid` for a malformed outline, and as the function of each notation does.
///
///     make_outline_language(R"([{"until": [{"marker": "</think>"}]}, {"notation": "regex", "text": "yes|no"}])", texts)
SchemaLanguage make_outline_language(std::string_view outline, const TokenTexts& vocabulary);

}  // namespace heed::grammar

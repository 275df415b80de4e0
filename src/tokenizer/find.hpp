// Finds a token by its text.
#pragma once

#include <optional>
#include <string_view>

#include "tokenizer/tokenizer.hpp"

namespace heed::tokenizer {

/// The token with exactly this text, which may be a control token; nullopt if there is none. If several tokens have it, returns the
/// last, because byte tokens come before other tokens with the same text.
std::optional<TokenId> find_token(const Tokenizer& tokenizer, std::string_view text);

}  // namespace heed::tokenizer

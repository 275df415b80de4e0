// The token of a text.
#pragma once

#include <optional>
#include <string_view>

#include "tokenizer/tokenizer.hpp"

namespace heed::tokenizer {

/// The token whose text is exactly this, control tokens included; absent if there is none. If there are several, the last of them: tokens
/// of single bytes come before the others.
std::optional<TokenId> find_token(const Tokenizer& tokenizer, std::string_view text);

}  // namespace heed::tokenizer

// Which tokens end a generation, and which are control tokens whatever the file calls them. Files seldom say;
// like llama.cpp, whose lists these are in effect, we go by the texts that model families are known to use.
#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "tokenizer/vocabulary.hpp"

namespace heed::tokenizer {

struct TokenRoles {
  std::vector<TokenId> generation_ends;              // EOS among them
  std::vector<std::pair<TokenId, TokenKind>> kinds;  // to be set, in this order
};

/// `vocabulary` knows its texts and EOS already.
TokenRoles find_roles(const Vocabulary& vocabulary, const formats::Metadata& metadata);

/// The id under `key`; none where the key is absent. Throws invalid_file for one that is not below `size`.
std::optional<TokenId> token_id(const formats::Metadata& metadata, const char* key, std::size_t size);

}  // namespace heed::tokenizer

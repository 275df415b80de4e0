// Determines which tokens end a generation, and which are control tokens despite their kind in the file. Files rarely specify this,
// so we recognize the texts that model families use, as llama.cpp does with equivalent lists.
#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "tokenizer/vocabulary.hpp"

namespace heed::tokenizer {

struct TokenRoles {
  std::vector<TokenId> generation_ends;              // includes EOS
  std::vector<std::pair<TokenId, TokenKind>> kinds;  // kinds to set, in this order
};

/// `vocabulary` must have its texts and EOS already.
TokenRoles find_roles(const Vocabulary& vocabulary, const formats::Metadata& metadata);

/// The id under `key`, if it is below `size`: some files name tokens that their vocabulary lacks.
std::optional<TokenId> token_id(const formats::Metadata& metadata, const char* key, std::size_t size);

}  // namespace heed::tokenizer

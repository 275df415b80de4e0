// The tables of one vocabulary, shared by all constraints. Only one thread may use them at a time.
#pragma once

#include <array>
#include <optional>
#include <utility>

#include "grammar/masks/branch_kinds.hpp"
#include "grammar/masks/character_tokens.hpp"
#include "grammar/masks/token_trie.hpp"
#include "grammar/regular/spelling.hpp"

namespace heed::grammar {

class TokenTable {
 public:
  /// Throws Refusal (too-large) for a vocabulary whose texts are too long.
  explicit TokenTable(TokenTexts texts) : trie_(std::move(texts)) {}

  const TokenTrie& trie() const noexcept { return trie_; }
  /// The tokens that consist of any characters in a spelling. Computed by the first call.
  const CharacterTokens& characters(Spelling spelling) const;
  /// Computed by the first call.
  const BranchKinds& branch_kinds() const;

 private:
  TokenTrie trie_;
  mutable std::array<std::optional<CharacterTokens>, 3> characters_;
  mutable std::optional<BranchKinds> branch_kinds_;
};

}  // namespace heed::grammar

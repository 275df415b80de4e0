// What masks need to know of a vocabulary, for all constraints on it.
#pragma once

#include <array>
#include <memory>

#include "grammar/budget.hpp"
#include "grammar/masks/character_tokens.hpp"
#include "grammar/masks/token_trie.hpp"
#include "grammar/regular/pool.hpp"
#include "grammar/regular/spelling.hpp"

namespace heed::grammar {

class TokenTable {
 public:
  /// Throws Refusal (too-large) for a vocabulary whose texts are too long.
  explicit TokenTable(TokenTexts texts);

  const TokenTrie& trie() const noexcept { return trie_; }
  /// The tokens of any characters in a spelling: of strings, most of the vocabulary.
  const CharacterTokens& characters(Spelling spelling) const { return *characters_[static_cast<std::size_t>(spelling)]; }

 private:
  TokenTrie trie_;
  std::array<std::unique_ptr<CharacterTokens>, 3> characters_;
};

}  // namespace heed::grammar

#include "grammar/masks/token_table.hpp"

#include <utility>

namespace heed::grammar {

TokenTable::TokenTable(TokenTexts texts) : trie_(std::move(texts)) {
  Budget budget;
  RegularPool pool(budget);
  for (const Spelling spelling : {Spelling::raw, Spelling::json_canonical, Spelling::json_any}) {
    const Regular character = pool.characters(CodePoints::all(), spelling);
    characters_[static_cast<std::size_t>(spelling)] = std::make_unique<CharacterTokens>(trie_, pool, character);
  }
}

}  // namespace heed::grammar

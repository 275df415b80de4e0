#include "grammar/masks/token_table.hpp"

namespace heed::grammar {

TokenTable::TokenTable(const tokenizer::Tokenizer& tokenizer) : trie_(tokenizer) {
  Budget budget;
  RegularPool pool(budget);
  for (const Spelling spelling : {Spelling::raw, Spelling::json_canonical, Spelling::json_any}) {
    const Regular character = pool.characters(CodePoints::all(), spelling);
    characters_[static_cast<std::size_t>(spelling)] = std::make_unique<CharacterTokens>(trie_, pool, character);
  }
}

}  // namespace heed::grammar

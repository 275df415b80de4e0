#include "grammar/masks/token_table.hpp"

#include "grammar/budget.hpp"
#include "grammar/regular/pool.hpp"

namespace heed::grammar {

const CharacterTokens& TokenTable::characters(Spelling spelling) const {
  std::optional<CharacterTokens>& tokens = characters_[static_cast<std::size_t>(spelling)];
  if (!tokens) {
    Budget budget;
    RegularPool pool(budget);
    tokens.emplace(trie_, pool, pool.characters(CodePoints::all(), spelling));
  }
  return *tokens;
}

const BranchKinds& TokenTable::branch_kinds() const {
  if (!branch_kinds_) branch_kinds_.emplace(trie_);
  return *branch_kinds_;
}

}  // namespace heed::grammar

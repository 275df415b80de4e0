// The tokens that stay within a lexeme, and the nodes at which tokens may leave it. Cached by expression, so that all states inside
// the same lexeme share the result.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "grammar/masks/recent.hpp"
#include "grammar/masks/token_set.hpp"
#include "grammar/masks/token_table.hpp"
#include "grammar/masks/token_trie.hpp"
#include "grammar/regular/byte_set.hpp"
#include "grammar/regular/pool.hpp"

namespace heed::grammar {

struct LexemeMask {
  std::vector<TokenId> tokens;         // tokens after which the lexeme can still be completed, except those in `set`
  std::optional<TokenSet> set;         // the other tokens after which it can be completed, if there are many
  std::vector<TokenTrie::Node> exits;  // nodes where the lexeme may end before the node's byte; ascending
};

class LexemeMasks {
 public:
  /// The arguments must outlive this.
  LexemeMasks(const TokenTable& table, RegularPool& pool);

  /// The mask of the tokens that end in `branches`, reading their bytes from the branches' depth on. LexemeMask::exits is empty
  /// unless `exits`. Valid until the next call.
  const LexemeMask& of(Regular regular, const Branches& branches, bool exits);

 private:
  struct Key {
    Regular regular;
    Branches branches;
    bool exits;

    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& key) const noexcept;
  };
  /// A lexeme that repeats a class of characters, whose tokens are known, and goes on with a byte that begins none of the class.
  struct Run {
    Counted counted;
    const CharacterTokens* characters;
  };

  std::optional<Run> run(Regular regular, bool may_build);
  const CharacterTokens* known_characters(Regular character, bool may_build);
  /// The representative of all expressions that differ from `regular` only in limits beyond the longest token.
  Regular normal(Regular regular);
  LexemeMask of_whole(Regular regular, bool exits);
  LexemeMask walk_all(Regular regular, const Branches& branches, bool exits) const;
  std::optional<LexemeMask> walk_many(Regular regular, bool exits, std::size_t most_nodes) const;
  bool leads_to_many(Regular regular) const;
  std::optional<LexemeMask> of_run(const Run& run, bool exits) const;
  std::optional<LexemeMask> of_limited(Regular regular, const Limited& limited, bool exits);
  std::optional<ByteSet> bytes_after(Regular character, Regular rest) const;
  bool leads_on(Regular regular, TokenId token) const;
  std::optional<Regular> similar(Regular regular, bool may_build);
  LexemeMask of_similar(Regular regular, Regular like, const LexemeMask& base, bool exits) const;
  void tidy(LexemeMask& mask) const;

  const TokenTable& table_;
  const TokenTrie& trie_;
  RegularPool& pool_;
  std::vector<std::pair<Regular, Spelling>> spelled_;  // the class of all characters in each spelling
  std::unordered_map<Regular, std::unique_ptr<CharacterTokens>> characters_;
  Recent<Key, LexemeMask, KeyHash> kept_;
};

}  // namespace heed::grammar

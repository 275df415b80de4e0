// Which tokens go on inside a lexeme, and which may leave it: kept by Regular, for all states that are inside of one.
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
  std::vector<TokenId> tokens;         // that leave the Regular alive, but for those of `set`
  std::optional<TokenSet> set;         // where they are many
  std::vector<TokenTrie::Node> exits;  // above which, or before which, the lexeme may have ended; ascending
};

class LexemeMasks {
 public:
  /// What is passed must outlive it.
  LexemeMasks(const TokenTable& table, RegularPool& pool);

  /// Of the tokens that end in the branches, read from their beginning on. `exits`: whether those are wanted; there are none otherwise.
  /// Good until the next call.
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
  /// A lexeme that may repeat characters of a class whose tokens are known, and goes on with none of what these begin with.
  struct Run {
    Counted counted;
    const CharacterTokens* characters;
  };

  std::optional<Run> run(Regular regular, bool anew);
  const CharacterTokens* known_characters(Regular character, bool anew);
  /// What regulars that differ only in limits beyond the longest token have in common.
  Regular normal(Regular regular);
  LexemeMask of_whole(Regular regular, bool exits);
  LexemeMask walk_all(Regular regular, const Branches& branches, bool exits) const;
  std::optional<LexemeMask> walk_many(Regular regular, bool exits, std::size_t most_nodes) const;
  bool leads_to_many(Regular regular) const;
  std::optional<LexemeMask> of_run(const Run& run, bool exits) const;
  std::optional<LexemeMask> of_limited(Regular regular, const Limited& limited, bool exits);
  std::optional<ByteSet> bytes_behind(Regular character, Regular rest) const;
  bool leads_on(Regular regular, TokenId token) const;
  std::optional<Regular> similar(Regular regular, bool anew);
  LexemeMask of_similar(Regular regular, Regular like, const LexemeMask& base, bool exits) const;
  void tidy(LexemeMask& mask) const;

  const TokenTable& table_;
  const TokenTrie& trie_;
  RegularPool& pool_;
  std::vector<std::pair<Regular, Spelling>> spelled_;  // characters of any kind
  std::unordered_map<Regular, std::unique_ptr<CharacterTokens>> characters_;
  Recent<Key, LexemeMask, KeyHash> kept_;
};

}  // namespace heed::grammar

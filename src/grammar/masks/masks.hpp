// Which tokens may come next, by state of a language.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "grammar/interner.hpp"
#include "grammar/language.hpp"
#include "grammar/masks/lexeme_masks.hpp"
#include "grammar/masks/recent.hpp"
#include "grammar/masks/token_set.hpp"
#include "grammar/masks/token_table.hpp"
#include "grammar/masks/token_trie.hpp"
#include "grammar/regular/byte_set.hpp"

namespace heed::grammar {

/// A language over a vocabulary. What was found out about one of its texts serves all others; one thread may use it at a time.
class Masks {
 public:
  Masks(std::unique_ptr<Language> language, std::shared_ptr<const TokenTable> table);

  Language& language() noexcept { return *language_; }
  const TokenTable& table() const noexcept { return *table_; }

  /// The tokens whose bytes lead on from `state` to texts of the language, and what ends a generation where the text may end. Empty only
  /// if the vocabulary cannot spell any text that goes on. Throws Refusal (too-large).
  std::shared_ptr<const TokenSet> of(State state);

  /// The bytes that lead on.
  ByteSet bytes_after(State state);

 private:
  struct Mask {
    TokenSet tokens;
    std::vector<TokenTrie::Node> undecided;  // ascending: tokens of a gist that depend on the text
  };
  /// Branches to be walked from a state.
  struct Task {
    State state;
    Branches branches;
    bool stepping;  // byte by byte, whatever lexemes there are
  };

  std::shared_ptr<const Mask> mask(State state);
  void walk_tasks(TokenSet& set);
  bool enter(const TokenTrie::Node& node, State before, State& after, TokenSet& set);
  void go_on(const Task& task, TokenSet& set);
  void add_task(const Task& task);
  bool by_lexemes(const Task& task, TokenSet& set);
  void by_certain_steps(State state, std::uint32_t certain, TokenSet& set);
  void by_paths(const Task& task, TokenSet& set);
  void by_steps(const Task& task, TokenSet& set);

  std::unique_ptr<Language> language_;
  std::shared_ptr<const TokenTable> table_;
  LexemeMasks lexemes_;
  Recent<State, std::shared_ptr<const Mask>> kept_;
  Recent<State, ByteSet> bytes_after_;

  // Of the mask that is being made.
  std::vector<Task> tasks_;
  Interner seen_;                       // tasks
  std::vector<TokenTrie::Node> exits_;  // of a lexeme
  std::vector<TokenTrie::Node> undecided_;
  std::vector<State> states_;  // of a walk
};

}  // namespace heed::grammar

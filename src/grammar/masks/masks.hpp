// Computes and caches the tokens that may come next in each state of a language. Which bytes may come is up to the language's
// step(): for JSON schemas, in schema/json_language.cpp.
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

/// The masks of one language over one vocabulary, shared by all its texts. Only one thread may use it at a time.
class Masks {
 public:
  Masks(std::unique_ptr<Language> language, std::shared_ptr<const TokenTable> table);

  Language& language() noexcept { return *language_; }
  const TokenTable& table() const noexcept { return *table_; }

  /// The tokens after which a text of the language is still possible, and the end tokens if the text may end. Empty only if the
  /// vocabulary cannot spell any continuation. Throws Refusal (too-large).
  std::shared_ptr<const TokenSet> of(State state);

  /// The bytes after which a text of the language is still possible.
  ByteSet bytes_after(State state);

 private:
  struct Mask {
    TokenSet tokens;
    std::vector<TokenTrie::Node> undecided;  // in the mask of a summary: nodes whose tokens depend on the history; ascending
  };
  /// Branches of the trie to walk, starting in a state.
  struct Task {
    State state;
    Branches branches;
    bool stepping;  // byte by byte, without lexemes
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

  // Scratch of the mask that is being made.
  std::vector<Task> tasks_;
  Interner seen_;                       // tasks so far
  std::vector<TokenTrie::Node> exits_;  // of the current lexeme
  std::vector<TokenTrie::Node> undecided_;
  std::vector<State> states_;  // memory for walk()
};

}  // namespace heed::grammar

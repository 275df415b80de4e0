// Restricts a text that is being generated to a language.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "grammar/masks/masks.hpp"

namespace heed::grammar {

/// One text, token by token. A copy is another text with the same beginning; all copies share the caches of the language, so only
/// one thread may use them at a time. Functions throw Refusal (too-large), and change nothing, if a token takes too much work.
///
///     Constraint constraint(std::make_shared<Masks>(make_gbnf_language(grammar), table));
///     while (!constraint.finished()) constraint.accept(choose(logits, constraint.mask()));
class Constraint {
 public:
  explicit Constraint(std::shared_ptr<Masks> masks);

  /// The tokens that may come next: token i is bit i % 64 of word i / 64. Valid until the next call.
  std::span<const std::uint64_t> mask();
  /// Computes the mask in advance. `first_attempt`: false to continue an attempt that Budget::on_progress paused.
  void prepare(bool first_attempt);
  /// Appends the token if it may come next, and returns whether it may.
  bool accept(TokenId token);
  /// Removes the last `count` tokens, or all if there are fewer.
  void rollback(std::size_t count) noexcept;
  /// Whether an end token was accepted, or no other token can follow.
  bool finished();
  /// The longest string that every continuation starts with: at most `limit` bytes, up to a control token. Empty if the text may
  /// end or continue in several ways.
  std::string forced(std::size_t limit = 4096);

  /// The number of tokens.
  std::size_t size() const noexcept { return states_.size() - 1; }

 private:
  std::span<const std::uint64_t> make_mask();
  State state() const noexcept { return states_.back(); }
  /// The state after one more token; kDead if it may not come next.
  State after(TokenId token);

  std::shared_ptr<Masks> masks_;
  std::shared_ptr<const TokenSet> mask_;
  std::size_t masked_ = 0;     // size of states_ when mask_ was made; 0: mask_ is stale
  std::vector<State> states_;  // at the beginning and after each token; kDead after an end token
};

}  // namespace heed::grammar

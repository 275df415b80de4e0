// Holds a text that is being generated to a language.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "grammar/masks/masks.hpp"

namespace heed::grammar {

/// One text, token by token. Copies are further texts that begin alike; they share what is known of the language, so one thread may use
/// them at a time. Functions throw Refusal (too-large) where a token takes too much work, and have changed nothing then.
///
///     Constraint constraint(std::make_shared<Masks>(make_gbnf_language(grammar), table));
///     while (!constraint.finished()) constraint.accept(choose(logits, constraint.mask()));
class Constraint {
 public:
  explicit Constraint(std::shared_ptr<Masks> masks);

  /// The tokens that may come next: token i is bit i % 64 of word i / 64. Good until the next call.
  std::span<const std::uint64_t> mask();
  /// Makes the mask beforehand. `anew`: not where an earlier attempt was ended for now (Budget::at_work), and goes on.
  void prepare(bool anew);
  /// Whether the token may come next; if so, it is now part of the text.
  bool accept(TokenId token);
  /// Takes the last `count` tokens back; all, where there are fewer.
  void rollback(std::size_t count) noexcept;
  /// Whether an end token was accepted, or nothing else can be.
  bool finished();
  /// The bytes that every text has next, at most `limit` of them, up to a control token: none where the text may end, or go on in
  /// several ways.
  std::string forced(std::size_t limit = 4096);

  /// Tokens of the text.
  std::size_t size() const noexcept { return states_.size() - 1; }

 private:
  std::span<const std::uint64_t> make_mask();
  State state() const noexcept { return states_.back(); }
  /// kDead where the token may not come next.
  State after(TokenId token);

  std::shared_ptr<Masks> masks_;
  std::shared_ptr<const TokenSet> mask_;
  std::size_t masked_ = 0;     // how many states there were when it was made; 0: it is none of these
  std::vector<State> states_;  // of the empty text, and after each token; kDead after one that ended it
};

}  // namespace heed::grammar

// What a text may be, asked token by token while it is generated. src/grammar has the languages; in WebAssembly these are a module of
// their own, which is fetched where it is needed.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "tokenizer/tokenizer.hpp"

namespace heed::sampling {

/// A bit for each token of the vocabulary, the lowest bits first: token i is bit i % 64 of word i / 64.
using TokenMask = std::span<const std::uint64_t>;

/// The tokens of a mask.
inline std::size_t count(TokenMask mask) noexcept {
  std::size_t tokens = 0;
  for (const std::uint64_t word : mask) tokens += static_cast<std::size_t>(std::popcount(word));
  return tokens;
}

/// One generated text. Lives as long as its generation. Where a function but forced() throws an Error, mask() does from then on.
class Constraint {
 public:
  virtual ~Constraint() = default;
  /// The tokens that may come next, at least one: end-of-generation tokens where the text may end. Good until the next call.
  virtual TokenMask mask() = 0;
  /// A token of mask(), which is now part of the text.
  virtual void accept(tokenizer::TokenId id) = 0;
  /// Whether the text is complete, and nothing can follow.
  virtual bool finished() = 0;
  /// The bytes that follow in any case, or a beginning of them; perhaps none.
  virtual std::string forced() = 0;
};

}  // namespace heed::sampling

// The interface of a constraint, by which the sampler asks for masks. src/grammar implements constraints; in WebAssembly it is a
// module of its own, loaded on demand.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "tokenizer/tokenizer.hpp"

namespace heed::sampling {

/// One bit per token of the vocabulary: token i is bit i % 64 of word i / 64.
using TokenMask = std::span<const std::uint64_t>;

inline bool allows(TokenMask mask, tokenizer::TokenId id) noexcept {
  const auto bit = static_cast<std::size_t>(id);
  return (mask[bit / 64] >> (bit % 64) & 1) != 0;
}

/// The number of tokens in a mask.
inline std::size_t count(TokenMask mask) noexcept {
  std::size_t tokens = 0;
  for (const std::uint64_t word : mask) tokens += static_cast<std::size_t>(std::popcount(word));
  return tokens;
}

/// The constraint of one generated text; it lives as long as the generation. After accept(), finished() or mask() has thrown an
/// Error, mask() throws, too.
class Constraint {
 public:
  virtual ~Constraint() = default;
  /// The tokens that may come next, at least one; end-of-generation tokens if the text may end. Valid until the next call.
  virtual TokenMask mask() = 0;
  /// Appends a token of mask() to the text.
  virtual void accept(tokenizer::TokenId id) = 0;
  /// Whether the text is complete, so that no token can follow.
  virtual bool finished() = 0;
  /// The bytes that every continuation starts with, or a prefix of them; may be empty.
  virtual std::string forced() = 0;
};

}  // namespace heed::sampling

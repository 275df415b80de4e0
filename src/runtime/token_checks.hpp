// Checks the tokens passed to a model.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "base/error.hpp"
#include "tokenizer/tokenizer.hpp"

namespace heed::runtime {

/// Throws context_overflow if `ids` do not fit in the context after `position` other tokens, and invalid_argument for one outside
/// the vocabulary. `rows`: accept ids below 0, the rows of images, which are checked elsewhere (runtime/pictures/placed_tiles.hpp).
inline void check_tokens(std::span<const tokenizer::TokenId> ids, std::size_t position, std::size_t vocabulary,
                         std::size_t context_length, bool rows = false) {
  if (position + ids.size() > context_length)
    throw Error(ErrorCode::context_overflow,
                std::to_string(position + ids.size()) + " tokens do not fit in a context of " + std::to_string(context_length),
                "tokens");
  for (const tokenizer::TokenId id : ids)
    if (id < 0 ? !rows : static_cast<std::size_t>(id) >= vocabulary)
      throw Error(ErrorCode::invalid_argument,
                  "token " + std::to_string(id) + " is outside the vocabulary of " + std::to_string(vocabulary), "tokens");
}

}  // namespace heed::runtime

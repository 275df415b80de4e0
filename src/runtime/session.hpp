// A text that is gone on with: the tokens that it holds, and what a sequence has read of them.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "runtime/sequence.hpp"

namespace heed::runtime {

/// A copy goes on by itself from the same text, and shares all memory with it until then.
struct Session {
  Sequence sequence;
  std::vector<TokenId> tokens;  // the sequence has read a beginning of them

  /// An empty one. Throws unsupported for a model that has no decoder, or an encoder beside it: that reads a text whole.
  explicit Session(Workspace& workspace);

  void truncate(std::size_t length) noexcept;

  /// As bytes that any machine may restore from, with any kernels.
  std::vector<std::byte> save() const;
};

/// Goes on where save() was called, to the bit. Throws invalid_argument, which names what is wrong, for bytes that are damaged,
/// or of another model, another type of KV cache or a longer context, and out_of_memory.
Session restore_session(Workspace& workspace, std::span<const std::byte> saved);

}  // namespace heed::runtime

// A text that is continued over several calls: its tokens, and the sequence that has processed them.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "runtime/sequence.hpp"

namespace heed::runtime {

/// A copy has the same text and continues independently; the two share memory until one of them continues.
struct Session {
  Sequence sequence;
  std::vector<TokenId> tokens;  // the tokens of `sequence` are a prefix of these
  PlacedTiles tiles;            // the images among the tokens

  /// An empty text. Throws unsupported for a model without a decoder, and for one with an encoder, which must read the whole text
  /// at once.
  explicit Session(Workspace& workspace);

  /// Keeps the first `length` tokens.
  void truncate(std::size_t length) noexcept;

  /// Bytes for restore_session(), on any machine and with any kernels. For a text with adapters or edits, only the tokens are
  /// saved, and processed again when restored. Throws unsupported for a text with images.
  std::vector<std::byte> save() const;
};

/// A session from saved bytes, which continues with the same bits. Throws invalid_argument, with the reason, for bytes that are
/// damaged or come from another model, another KV cache type or a longer context, and out_of_memory.
Session restore_session(Workspace& workspace, std::span<const std::byte> saved);

}  // namespace heed::runtime

// The kinds of bytes that occur in each branch of a token trie.
#pragma once

#include <cstdint>
#include <vector>

#include "grammar/masks/byte_kinds.hpp"
#include "grammar/masks/token_trie.hpp"

namespace heed::grammar {

class BranchKinds {
 public:
  explicit BranchKinds(const TokenTrie& trie);

  /// The kinds of bytes in the branch that begins at the entry's first byte not shared with the entry before.
  ByteKinds operator[](std::uint32_t entry) const noexcept { return kinds_[entry]; }

 private:
  std::vector<ByteKinds> kinds_;
};

}  // namespace heed::grammar

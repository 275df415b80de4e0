// The kinds of bytes in each branch of a vocabulary.
#pragma once

#include <cstdint>
#include <vector>

#include "grammar/masks/byte_kinds.hpp"
#include "grammar/masks/token_trie.hpp"

namespace heed::grammar {

class BranchKinds {
 public:
  explicit BranchKinds(const TokenTrie& trie);

  /// Of all that begins with the first new byte of an entry and those before, from that byte on.
  ByteKinds operator[](std::uint32_t entry) const noexcept { return kinds_[entry]; }

 private:
  std::vector<ByteKinds> kinds_;
};

}  // namespace heed::grammar

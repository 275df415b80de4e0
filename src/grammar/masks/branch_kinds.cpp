#include "grammar/masks/branch_kinds.hpp"

#include <string_view>

#include "grammar/masks/trie_walk.hpp"

namespace heed::grammar {

BranchKinds::BranchKinds(const TokenTrie& trie) : kinds_(trie.size()) {
  walk(trie, trie.all(), std::uint8_t{0}, [&](const TokenTrie::Node& node, std::uint8_t before, std::uint8_t& after) {
    after = read_character_byte(before, node.byte);
    kinds_[node.entry] |= after == kNoCharacter ? kNoCharacters : kKindOf[node.byte];
    if (kKindOf[node.byte] == 0 && node.depth == trie.entry(node.entry).shared) kinds_[node.entry] |= kBeginsInside;
    return true;
  });
  for (std::uint32_t entry = trie.size(); entry-- > 0;) {  // backwards, so that the entries below are known
    const std::uint32_t end = entry + static_cast<std::uint32_t>(trie.entry(entry).span);
    for (std::uint32_t next = entry + 1; next < end; next += static_cast<std::uint32_t>(trie.entry(next).span))
      kinds_[entry] |= kinds_[next] & ~kBeginsInside;
  }
}

}  // namespace heed::grammar

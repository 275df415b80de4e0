#include "tokenizer/trie.hpp"

#include <algorithm>

namespace heed::tokenizer {

Trie::Trie(const Vocabulary& vocabulary, std::vector<TokenId> ids) {
  const auto by_text = [&](TokenId a, TokenId b) { return vocabulary.text(a) < vocabulary.text(b); };
  std::make_heap(ids.begin(), ids.end(), by_text);  // std::sort is much larger in the wasm module
  std::sort_heap(ids.begin(), ids.end(), by_text);

  // A node: a range of sorted tokens with a common prefix of length `depth`. Its first tokens may equal the
  // prefix; of several such tokens, the highest id counts.
  struct Range {
    std::uint32_t begin, end, depth;
  };
  std::vector<Range> nodes = {{0, static_cast<std::uint32_t>(ids.size()), 0}};
  bytes_.push_back(0);
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    auto [begin, end, depth] = nodes[n];
    tokens_.push_back(-1);
    for (; begin < end && vocabulary.text(ids[begin]).size() == depth; ++begin)
      tokens_.back() = std::max(tokens_.back(), ids[begin]);
    first_child_.push_back(static_cast<Node>(nodes.size()));
    while (begin < end) {
      const auto byte = [&](std::uint32_t i) { return static_cast<unsigned char>(vocabulary.text(ids[i])[depth]); };
      std::uint32_t next = begin + 1;
      while (next < end && byte(next) == byte(begin)) ++next;
      if (n == kRoot) first_level_[byte(begin)] = static_cast<Node>(nodes.size());
      bytes_.push_back(byte(begin));
      nodes.push_back({begin, next, depth + 1});
      begin = next;
    }
  }
  first_child_.push_back(static_cast<Node>(nodes.size()));
}

Trie::Match Trie::longest_prefix(std::string_view text) const noexcept {
  Match longest;
  Node node = kRoot;
  for (std::size_t i = 0; i < text.size(); ++i) {
    node = child(node, text[i]);
    if (node == kRoot) break;
    if (tokens_[node] >= 0) longest = {i + 1, tokens_[node]};
  }
  return longest;
}

}  // namespace heed::tokenizer

// Caches the tokens of recent words, because most words of a text are repeated. Direct-mapped (one word per slot), so that a lookup
// takes constant time.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tokenizer/tokenizer.hpp"

namespace heed::tokenizer {

class WordCache {
 public:
  /// bytes: the length of the text. `out`: where the text's tokens are appended; must outlive this.
  WordCache(std::size_t bytes, std::vector<TokenId>& out) : bytes_(bytes), out_(&out) {}

  /// If `word`, which must not be empty, is cached, appends its tokens and returns true.
  bool append(std::string_view word);

  /// Caches `word` with the tokens of `out` from `first` on. Must follow append(word) that returned false.
  void store(std::string_view word, std::size_t first);

 private:
  struct Slot {
    std::uint32_t begin = 0, length = 0;        // the word in `words_`
    std::uint32_t first_token = 0, tokens = 0;  // in `out`
  };

  std::size_t bytes_;
  std::vector<Slot> slots_;    // the size is a power of two
  std::size_t last_slot_ = 0;  // the slot that append() used last
  std::string words_;          // concatenated
  std::vector<TokenId>* out_;
};

}  // namespace heed::tokenizer

// A cache of the tokens of recent words: most words of a text are repeated. It is direct-mapped, one word to a slot, so that a
// lookup takes constant time.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tokenizer/tokenizer.hpp"

namespace heed::tokenizer {

class WordCache {
 public:
  /// bytes: of the text, whose tokens are appended to `out`. `out` must outlive it.
  WordCache(std::size_t bytes, std::vector<TokenId>& out) : bytes_(bytes), out_(&out) {}

  /// If `word`, which must not be empty, is cached, appends its tokens and returns true.
  bool append(std::string_view word);

  /// Caches the tokens of `word`, which are those of `out` from `first` on. The last call must be append(word), which returned
  /// false.
  void store(std::string_view word, std::size_t first);

 private:
  struct Slot {
    std::uint32_t begin = 0, length = 0;        // of the word in `words_`
    std::uint32_t first_token = 0, tokens = 0;  // in `out`
  };

  std::size_t bytes_;
  std::vector<Slot> slots_;    // a power of two
  std::size_t last_slot_ = 0;  // that append() looked up
  std::string words_;          // concatenated
  std::vector<TokenId>* out_;
};

}  // namespace heed::tokenizer

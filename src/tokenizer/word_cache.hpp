// The words that were encoded a while ago: most words of a text come again, and their tokens are copied then.
// One word a slot, the last one that fell there, so that looking takes the same time however many there were.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tokenizer/tokenizer.hpp"

namespace heed::tokenizer {

class WordMemory {
 public:
  /// For a text of so many bytes, whose tokens are appended to `out`.
  WordMemory(std::size_t bytes, std::vector<TokenId>& out) : bytes_(bytes), out_(&out) {}

  /// Whether `word`, which is not empty, is remembered; if so, its tokens have been appended.
  bool recall(std::string_view word);

  /// To be called after `recall` has failed and the word's tokens, from the one at `first` on, were appended.
  void keep(std::string_view word, std::size_t first);

 private:
  struct Slot {
    std::uint32_t begin = 0, length = 0;        // of the word in `words_`
    std::uint32_t first_token = 0, tokens = 0;  // in what was put out
  };

  std::size_t bytes_;
  std::vector<Slot> slots_;    // a power of two
  std::size_t last_slot_ = 0;  // that `recall` looked at
  std::string words_;          // one after the other
  std::vector<TokenId>* out_;
};

}  // namespace heed::tokenizer

// The words that were encoded a while ago: most words of a text come again, and their tokens are copied then. One
// word a slot, the last one that fell there, so that looking takes the same time however many there were.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "tokenizer/tokenizer.hpp"

namespace heed::tokenizer {

class WordMemory {
 public:
  /// For a text of so many bytes, whose tokens are appended to `out`.
  WordMemory(std::size_t bytes, std::vector<TokenId>& out) : bytes_(bytes), out_(&out) {}

  /// Appends the tokens of `word`, which is not empty; `encode()` does where they are not remembered.
  template <class Encode>
  void append(std::string_view word, Encode&& encode) {
    if (slots_.empty()) slots_.resize(std::bit_ceil(std::clamp<std::size_t>(bytes_ / 8, 1, kMostSlots)));
    Slot& slot = slots_[std::hash<std::string_view>{}(word) & (slots_.size() - 1)];
    if (slot.length == word.size() && words_.compare(slot.begin, slot.length, word) == 0) {
      for (std::size_t i = 0; i < slot.tokens; ++i) {
        const TokenId id = (*out_)[slot.first_token + i];
        out_->push_back(id);
      }
      return;
    }
    const std::size_t first = out_->size();
    encode();
    slot = {static_cast<std::uint32_t>(words_.size()), static_cast<std::uint32_t>(word.size()),
            static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(out_->size() - first)};
    words_ += word;
  }

 private:
  static constexpr std::size_t kMostSlots = 1 << 14;

  struct Slot {
    std::uint32_t begin = 0, length = 0;        // of the word in `words_`
    std::uint32_t first_token = 0, tokens = 0;  // in what was put out
  };

  std::size_t bytes_;
  std::vector<Slot> slots_;  // a power of two
  std::string words_;        // one after the other
  std::vector<TokenId>* out_;
};

}  // namespace heed::tokenizer

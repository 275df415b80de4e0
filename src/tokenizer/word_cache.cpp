#include "tokenizer/word_cache.hpp"

#include <algorithm>
#include <bit>
#include <functional>

namespace heed::tokenizer {

bool WordCache::append(std::string_view word) {
  constexpr std::size_t kMostSlots = 1 << 14;
  if (slots_.empty()) slots_.resize(std::bit_ceil(std::clamp<std::size_t>(bytes_ / 8, 1, kMostSlots)));
  last_slot_ = std::hash<std::string_view>{}(word) & (slots_.size() - 1);
  const Slot& slot = slots_[last_slot_];
  if (slot.length != word.size() || words_.compare(slot.begin, slot.length, word) != 0) return false;
  for (std::size_t i = 0; i < slot.tokens; ++i) {
    const TokenId id = (*out_)[slot.first_token + i];
    out_->push_back(id);
  }
  return true;
}

void WordCache::store(std::string_view word, std::size_t first) {
  slots_[last_slot_] = {static_cast<std::uint32_t>(words_.size()), static_cast<std::uint32_t>(word.size()),
                        static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(out_->size() - first)};
  words_ += word;
}

}  // namespace heed::tokenizer

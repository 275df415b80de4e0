#include "tokenizer/merge_table.hpp"

#include <bit>

#include "base/error.hpp"
#include "tokenizer/byte_alphabet.hpp"

namespace heed::tokenizer {
namespace {

constexpr const char* kMergesKey = "tokenizer.ggml.merges";

}  // namespace

MergeTable::MergeTable(const formats::Metadata& metadata, const Vocabulary& vocabulary, std::string_view word_end)
    : word_end_(word_end), vocabulary_size_(vocabulary.size()) {
  for (unsigned byte = 0; byte < kBytes; ++byte) {
    std::string text;
    utf8::append(text, kCharacterOfByte[byte]);
    byte_symbols_[byte] = symbol(text, vocabulary);
    text += word_end;
    byte_symbols_[kBytes + byte] = symbol(text, vocabulary);
  }

  const auto& merges = metadata.require<formats::Metadata::Strings>(kMergesKey);
  entries_.resize(std::bit_ceil(merges.size() + merges.size() / 2 + 1));
  results_.reserve(merges.size());
  std::string joined;
  for (const std::string& merge : merges) {
    const std::size_t space = merge.find(' ', 1);
    if (space == std::string::npos || space + 1 == merge.size()) {
      throw Error(ErrorCode::invalid_file, "merge " + std::to_string(results_.size()) + " is not a pair", kMergesKey);
    }
    const std::string_view left = std::string_view(merge).substr(0, space);
    const std::string_view right = std::string_view(merge).substr(space + 1);
    const Entry entry{symbol(left, vocabulary), symbol(right, vocabulary), static_cast<std::uint32_t>(results_.size())};
    Entry& place = entries_[slot(entry.left, entry.right)];
    if (place.left < 0) place = entry;
    joined.assign(left).append(right);
    results_.push_back(symbol(joined, vocabulary));
  }
}

std::int32_t MergeTable::symbol(std::string_view text, const Vocabulary& vocabulary) {
  if (const auto id = vocabulary.find_spelled(text)) return *id;
  if (const auto known = strangers_.find(text); known != strangers_.end()) return known->second;
  const auto next = static_cast<std::int32_t>(vocabulary_size_ + stranger_texts_.size());
  stranger_texts_.emplace_back(text);
  strangers_.emplace(text, next);
  return next;
}

std::int32_t MergeTable::symbol_of(std::string_view text, const Vocabulary& vocabulary) const noexcept {
  if (const auto id = vocabulary.find_spelled(text)) return *id;
  const auto known = strangers_.find(text);
  return known == strangers_.end() ? -1 : known->second;
}

// The slot of the pair, or the empty slot for it.
std::size_t MergeTable::slot(std::int32_t left, std::int32_t right) const noexcept {
  const std::size_t mask = entries_.size() - 1;
  const std::uint64_t pair = std::uint64_t{static_cast<std::uint32_t>(left)} << 32 | static_cast<std::uint32_t>(right);
  std::size_t at = static_cast<std::size_t>(pair * 0x9E3779B97F4A7C15 >> 32) & mask;  // Fibonacci hashing
  while (entries_[at].left >= 0 && (entries_[at].left != left || entries_[at].right != right)) at = (at + 1) & mask;
  return at;
}

std::optional<Merge> MergeTable::find(std::int32_t left, std::int32_t right) const noexcept {
  const Entry& entry = entries_[slot(left, right)];
  if (entry.left < 0) return std::nullopt;
  return Merge{entry.rank, results_[entry.rank]};
}

void MergeTable::append_tokens(std::int32_t symbol, std::vector<TokenId>& out) const {
  const auto is_token = [&](std::int32_t s) { return static_cast<std::size_t>(s) < vocabulary_size_; };
  if (is_token(symbol)) {
    out.push_back(symbol);
    return;
  }
  std::string_view text = stranger_texts_[static_cast<std::size_t>(symbol) - vocabulary_size_];
  const bool ends_word = !word_end_.empty() && text.ends_with(word_end_);
  if (ends_word) text.remove_suffix(word_end_.size());
  std::string bytes;
  append_as_bytes(bytes, text);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const bool last = i + 1 == bytes.size();
    const std::int32_t token = symbol_of_byte(static_cast<unsigned char>(bytes[i]), ends_word && last);
    if (is_token(token)) out.push_back(token);
  }
}

}  // namespace heed::tokenizer

// The merges of a byte-pair vocabulary, as a hash table by pair.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tokenizer/pair_merger.hpp"
#include "tokenizer/vocabulary.hpp"

namespace heed::tokenizer {

/// Symbols are token ids and, from V on, ids of texts that occur in merges but not in the vocabulary.
class MergeTable {
 public:
  /// Reads tokenizer.ggml.merges: "left right", best first. word_end: the suffix of texts at the end of a word. Throws invalid_file
  /// for a malformed merge.
  MergeTable(const formats::Metadata& metadata, const Vocabulary& vocabulary, std::string_view word_end = {});

  std::optional<Merge> find(std::int32_t left, std::int32_t right) const noexcept;

  std::int32_t symbol_of_byte(unsigned char byte, bool ends_word = false) const noexcept {
    return byte_symbols_[ends_word ? kBytes + byte : byte];
  }

  /// The symbol with this text; -1, which has no merges, if there is none.
  std::int32_t symbol_of(std::string_view text, const Vocabulary& vocabulary) const noexcept;

  /// Appends the symbol if it is a token, otherwise the tokens of its bytes.
  void append_tokens(std::int32_t symbol, std::vector<TokenId>& out) const;

 private:
  static constexpr unsigned kBytes = 256;

  struct Entry {
    std::int32_t left = -1, right = -1;
    std::uint32_t rank = 0;
  };

  std::int32_t symbol(std::string_view text, const Vocabulary& vocabulary);
  std::size_t slot(std::int32_t left, std::int32_t right) const noexcept;

  std::vector<Entry> entries_;                           // hash table with linear probing; the size is a power of two
  std::vector<std::int32_t> results_;                    // by rank
  std::array<std::int32_t, 2 * kBytes> byte_symbols_{};  // of bytes within words, then of bytes that end a word
  std::string word_end_;
  std::size_t vocabulary_size_;
  std::map<std::string, std::int32_t, std::less<>> strangers_;  // symbols without a token, by text
  std::vector<std::string> stranger_texts_;
};

}  // namespace heed::tokenizer

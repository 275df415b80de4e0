#include "tokenizer/sentencepiece.hpp"

#include <bit>

#include "base/utf8.hpp"
#include "tokenizer/pair_merger.hpp"
#include "tokenizer/visible_space.hpp"

namespace heed::tokenizer {
namespace {

// Maps floats to unsigned integers in the opposite order, through the bits of IEEE 754.
std::uint32_t descending(float score) {
  const auto bits = std::bit_cast<std::uint32_t>(score + 0.0F);  // -0 becomes 0
  return bits >> 31 ? bits : ~bits & 0x7FFFFFFF;
}

std::string with_visible_spaces(std::string_view text, bool prefix) {
  std::string out;
  out.reserve(text.size() + text.size() / 2);
  if (prefix) out += kVisibleSpace;
  for (char c : text) {
    if (c == ' ') {
      out += kVisibleSpace;
    } else {
      out.push_back(c);
    }
  }
  return out;
}

}  // namespace

SentencePiece::SentencePiece(const formats::Metadata& metadata)
    : VocabularyTokenizer(metadata, {.bos = 1, .eos = 2, .unknown = 0, .add_bos = true},
                          {.leading_space = metadata.flag(kAddSpacePrefix, true)}),
      add_space_prefix_(metadata.flag(kAddSpacePrefix, true)) {
  merge_order_.reserve(size());
  for (float score : vocabulary().read_scores(metadata)) merge_order_.push_back(descending(score));

  byte_ids_ = vocabulary().byte_tokens();
  for (unsigned byte = 0; byte < byte_ids_.size(); ++byte) {
    const char itself = static_cast<char>(byte);
    if (!byte_ids_[byte]) byte_ids_[byte] = vocabulary().find({&itself, 1});
    if (!byte_ids_[byte]) byte_ids_[byte] = vocabulary().unknown();
  }

  for (TokenId id = 0; vocabulary().contains(id); ++id) add_bytes_before_spaces(joins_space_, vocabulary().text(id));
}

void SentencePiece::encode_text(std::string_view plain, WordCache& cache, std::vector<TokenId>& out) const {
  const std::string text = with_visible_spaces(plain, add_space_prefix_);
  PairMerger merger;
  std::string_view word;
  const auto find = [&](const PairMerger::Symbol& left, const PairMerger::Symbol& right) -> std::optional<Merge> {
    const auto id = vocabulary().find_spelled(word.substr(left.begin, left.length + right.length));
    if (!id) return std::nullopt;
    return Merge{merge_order_[static_cast<std::size_t>(*id)], *id};
  };
  const auto emit = [&](const PairMerger::Symbol& symbol) {
    const std::string_view bytes = word.substr(symbol.begin, symbol.length);
    if (const auto id = vocabulary().find_spelled(bytes)) {
      out.push_back(*id);
      return;
    }
    for (char byte : bytes) {
      if (const auto id = byte_ids_[to_byte(byte)]) out.push_back(*id);
    }
  };

  const auto encode_word = [&] {
    merger.clear();
    for (std::size_t at = 0; at < word.size();) {
      const std::size_t length = std::min(utf8::announced_length(word[at]), word.size() - at);
      merger.push(-1, static_cast<std::uint32_t>(length));
      at += length;
    }
    merger.merge(find, emit);
  };

  for (std::size_t begin = 0; begin < text.size();) {
    // A word ends before a space that no token joins to it. Merging each word gives the same tokens as merging the whole text, and keeps
    // the queue short.
    std::size_t end = begin;
    bool after_space = true;
    while (end < text.size()) {
      const bool space = text[end] == kVisibleSpace[0] && text.compare(end, kVisibleSpace.size(), kVisibleSpace) == 0;
      if (space && !after_space && !joins_space_[to_byte(text[end - 1])]) break;
      end += std::min(utf8::announced_length(text[end]), text.size() - end);
      after_space = space;
    }
    word = std::string_view(text).substr(begin, end - begin);
    if (!cache.append(word)) {
      const std::size_t first = out.size();
      encode_word();
      cache.store(word, first);
    }
    begin = end;
  }
}

void SentencePiece::append_normal(std::string_view text, std::string& out) const { append_with_spaces(out, text); }

}  // namespace heed::tokenizer

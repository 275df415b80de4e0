#include "tokenizer/character_pair.hpp"

#include <algorithm>

#include "base/utf8.hpp"
#include "tokenizer/pretokenizer.hpp"
#include "tokenizer/visible_space.hpp"

namespace heed::tokenizer {
namespace {

std::size_t length_at(std::string_view text, std::size_t at) {
  return std::min(utf8::announced_length(text[at]), text.size() - at);
}

}  // namespace

/// A text begins with BOS whatever the file says, as in llama.cpp, because many files are wrong.
CharacterPair::CharacterPair(const formats::Metadata& metadata)
    : VocabularyTokenizer(metadata, {.always_bos = true}, {.punctuation = true}),
      merges_(metadata, vocabulary()),
      byte_ids_(vocabulary().byte_tokens()) {
  for (const std::string& merge : metadata.require<formats::Metadata::Strings>("tokenizer.ggml.merges")) {
    if (merge.find(kVisibleSpace, 1) == merge.npos) continue;  // skips most of half a million merges
    std::string joined = merge;
    joined.erase(joined.find(' ', 1), 1);
    add_bytes_before_spaces(joins_space_, joined);
  }
}

void CharacterPair::encode_text(std::string_view plain, WordCache& cache, std::vector<TokenId>& out) const {
  std::string visible;
  visible.reserve(plain.size() + plain.size() / 2);
  for (const Character& character : read_characters(plain)) {
    if (character.code_point == ' ') visible += kVisibleSpace;
    else utf8::append(visible, character.code_point);
  }
  PairMerger merger;
  for (std::string_view text = visible; !text.empty();) {
    const std::string_view word = next_word(text);
    text.remove_prefix(word.size());
    if (cache.append(word)) continue;
    const std::size_t first = out.size();
    encode_word(word, merger, out);
    cache.store(word, first);
  }
}

/// The first word: a run of line breaks, or the text up to one, cut before a space that no merge joins to what precedes it. Merging
/// each word gives the same tokens as merging the whole text, and keeps the queue short.
std::string_view CharacterPair::next_word(std::string_view text) const {
  const bool breaks = text[0] == '\n';
  std::size_t end = 0;
  for (bool after_space = true; end < text.size() && (text[end] == '\n') == breaks; end += length_at(text, end)) {
    const bool space = text.substr(end).starts_with(kVisibleSpace);
    if (space && !after_space && !joins_space_[to_byte(text[end - 1])]) break;
    after_space = space;
  }
  return text.substr(0, end);
}

void CharacterPair::encode_word(std::string_view word, PairMerger& merger, std::vector<TokenId>& out) const {
  if (word[0] == '\n') {
    if (const auto id = vocabulary().find_spelled(word)) {
      out.push_back(*id);
      return;
    }
  }
  merger.clear();
  for (std::size_t at = 0; at < word.size();) {
    const std::size_t length = length_at(word, at);
    merger.push(merges_.symbol_of(word.substr(at, length), vocabulary()), static_cast<std::uint32_t>(length));
    at += length;
  }
  merger.merge([&](const PairMerger::Symbol& left, const PairMerger::Symbol& right) { return merges_.find(left.id, right.id); },
               [&](const PairMerger::Symbol& symbol) {
                 if (vocabulary().contains(symbol.id)) {
                   out.push_back(symbol.id);
                   return;
                 }
                 for (const char byte : word.substr(symbol.begin, symbol.length))
                   if (const auto id = byte_ids_[to_byte(byte)]) out.push_back(*id);
               });
}

void CharacterPair::append_normal(std::string_view text, std::string& out) const { append_with_spaces(out, text); }

}  // namespace heed::tokenizer

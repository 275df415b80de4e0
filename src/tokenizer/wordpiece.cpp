#include "tokenizer/wordpiece.hpp"

#include <numeric>

#include "base/utf8.hpp"
#include "tokenizer/letters.hpp"
#include "tokenizer/pattern_parts.hpp"
#include "tokenizer/visible_space.hpp"

namespace heed::tokenizer {
namespace {

constexpr const char* kLowerCaseKey = "tokenizer.ggml.normalizer.lowercase";
constexpr const char* kStripAccentsKey = "tokenizer.ggml.normalizer.strip_accents";

// The fifth range should begin at U+2B820, but Hugging Face's tokenizers and llama.cpp use U+2B920.
constexpr std::u32string_view kIdeographs =
    U"\u4E00\u9FFF\u3400\u4DBF\U00020000\U0002A6DF\U0002A700\U0002B81F\U0002B920\U0002CEAF\uF900\uFAFF"
    U"\U0002F800\U0002FA1F";

bool is_a_word(Character c) noexcept {
  if (c.code_point < 0x7F) return (c.category & (kPunctuation | kSymbol)) != 0;
  return c.category == kPunctuation || patterns::is_within(c.code_point, kIdeographs);
}

std::vector<TokenId> all_of(const Vocabulary& vocabulary) {
  std::vector<TokenId> ids(vocabulary.size());
  std::iota(ids.begin(), ids.end(), TokenId{0});
  return ids;
}

}  // namespace

WordPiece::WordPiece(const formats::Metadata& metadata)
    : VocabularyTokenizer(metadata, {.bos = 101, .unknown = 100, .separator = 102, .add_bos_and_separator = true},
                          {.leading_space = metadata.flag("tokenizer.ggml.add_space_prefix", false), .punctuation = true}),
      tokens_(vocabulary(), all_of(vocabulary())),
      unknown_(vocabulary().require_unknown()),
      lower_case_(metadata.flag(kLowerCaseKey, true)),
      strip_accents_(metadata.flag(kStripAccentsKey, lower_case_)) {}

void WordPiece::encode_text(std::string_view text, WordCache& cache, std::vector<TokenId>& out) const {
  std::string word(kVisibleSpace);
  const auto end_word = [&] {
    if (word.size() == kVisibleSpace.size()) return;
    if (!cache.append(word)) {
      const std::size_t first = out.size();
      encode_word(word, out);
      cache.store(word, first);
    }
    word.resize(kVisibleSpace.size());
  };
  for (const Character& read : read_characters(text)) {
    Character c = read;
    if (strip_accents_) {
      c.code_point = base_letter(c.code_point);
      if (c.code_point != read.code_point) c.category = category(c.code_point);
    }
    const bool space = c.category == kSpace, alone = is_a_word(c);
    if (space || alone) end_word();
    const bool accent = strip_accents_ && c.category == kMark;
    const bool dropped = c.category == kControl || c.code_point == utf8::kReplacementCharacter;
    if (space || accent || dropped) continue;
    utf8::append(word, lower_case_ ? lower_case(c.code_point) : c.code_point);
    if (alone) end_word();
  }
  end_word();
}

void WordPiece::encode_word(std::string_view word, std::vector<TokenId>& out) const {
  const std::size_t before = out.size();
  while (!word.empty()) {
    const auto found = tokens_.longest_prefix(word);
    if (found.length == 0) {
      out.resize(before);
      out.push_back(unknown_);
      return;
    }
    out.push_back(found.id);
    word.remove_prefix(found.length);
  }
}

void WordPiece::append_normal(std::string_view text, std::string& out) const { append_with_spaces(out, text); }

}  // namespace heed::tokenizer

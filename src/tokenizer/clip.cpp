#include "tokenizer/clip.hpp"

#include "tokenizer/word_patterns.hpp"

namespace heed::tokenizer {
namespace {

constexpr std::string_view kWordEnd = "</w>";
constexpr Pattern kWords[] = {patterns::clip};
constexpr Pretokenizer kPretokenizer = {.stages = kWords, .lower_case = true, .drop_space = true};

Vocabulary::Defaults defaults(const formats::Metadata& metadata) {
  const auto* tokens = metadata.find<formats::Metadata::Strings>("tokenizer.ggml.tokens");
  const auto size = static_cast<TokenId>(tokens ? tokens->size() : 0);
  return {.bos = size - 2, .eos = size - 1, .add_bos = true, .add_eos = true};
}

}  // namespace

Clip::Clip(const formats::Metadata& metadata)
    : BytePair(metadata, defaults(metadata), {.trailing_space = true}, kPretokenizer, kWordEnd) {}

void Clip::append_normal(std::string_view text, std::string& out) const {
  const bool ends_word = text.ends_with(kWordEnd);
  if (ends_word) text.remove_suffix(kWordEnd.size());
  BytePair::append_normal(text, out);
  if (ends_word) out.push_back(' ');
}

}  // namespace heed::tokenizer

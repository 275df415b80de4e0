// Any text in every kind of vocabulary: the ids are in the vocabulary, do not depend on how the text is split into parts, contain
// no control token from a user's text, and, if bytes are tokens and the text is UTF-8, decode to the text again.
#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <vector>

#include "base/utf8.hpp"
#include "tokenizer/tokenizer.hpp"
#include "unit/tokenizer/vocabularies.hpp"

using namespace heed;
using test::TokenKind;
using test::VocabularyBuilder;

namespace {

struct Kind {
  std::unique_ptr<tokenizer::Tokenizer> tokenizer;
  tokenizer::TokenId control;
  bool keeps_bytes;  // whether UTF-8 comes back byte for byte
};

/// As the converter writes RWKV's bytes.
VocabularyBuilder rwkv_vocabulary() {
  VocabularyBuilder builder;
  constexpr const char* kHex = "0123456789abcdef";
  for (int byte = 0; byte < 256; ++byte) builder.add(std::string("\\x") + kHex[byte >> 4] + kHex[byte & 15]);
  return builder;
}

Kind make(const std::string& model, const std::string& pre = {}) {
  const bool merges = model == "gpt2" || model == "clip";
  VocabularyBuilder builder = merges            ? test::byte_level_vocabulary()
                              : model == "rwkv" ? rwkv_vocabulary()
                                                : test::sentencepiece_vocabulary();
  if (merges) {
    for (const auto& [left, right] : {std::pair{"a", "b"}, {"ab", "a"}, {"Ġ", "a"}, {"Ġ", "Ġ"}, {"1", "2"}})
      builder.merge(left, right);
  } else {
    for (const char* text : {"▁", "a", "b", "ab", "aba", "▁a", "▁▁", "1", "é", "文", "##a"})
      builder.add(text, TokenKind::normal, -1);
    for (const char* key : {"unknown_token_id", "bos_token_id", "eos_token_id", "seperator_token_id"})
      builder.set(key, std::int64_t{0});
  }
  const tokenizer::TokenId control = builder.add("<|a|>", TokenKind::control);
  builder.add("<c>", TokenKind::user_defined);
  if (model == "clip") builder.add("<|endoftext|>", TokenKind::control);
  if (model == "gemma4") builder.merge_only("a b");
  if (!pre.empty()) builder.set("pre", pre);
  return {tokenizer::make_tokenizer(builder.metadata(model)), control, model == "gpt2" || model == "rwkv"};
}

std::vector<Kind> make_kinds() {
  std::vector<Kind> kinds;
  for (const char* pre : {"gpt-2", "llama-bpe", "qwen2", "gpt-4o", "deepseek-v3", "tekken"}) kinds.push_back(make("gpt2", pre));
  for (const char* model : {"llama", "gemma4", "t5", "bert", "clip", "rwkv", "plamo2", "plamo3"}) kinds.push_back(make(model));
  return kinds;
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const utf8::Decoded decoded = utf8::decode(text);
    if (decoded.sequence != utf8::Sequence::whole) return false;
    text.remove_prefix(decoded.length);
  }
  return true;
}

void require(bool held) {
  if (!held) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::vector<Kind> kinds = make_kinds();
  if (size < 2) return 0;
  const auto& [tokenizer, control, keeps_bytes] = kinds[data[0] % kinds.size()];
  const std::string_view text(reinterpret_cast<const char*>(data + 2), size - 2);
  const std::size_t cut = text.empty() ? 0 : data[1] % text.size();

  const auto ids = tokenizer->encode(text, {.add_special = false});
  for (const tokenizer::TokenId id : ids) require(id >= 0 && static_cast<std::size_t>(id) < tokenizer->size());
  const tokenizer::PromptPart whole[] = {tokenizer::PlainText{text}};
  const tokenizer::PromptPart parts[] = {tokenizer::PlainText{text.substr(0, cut)}, tokenizer::PlainText{text.substr(cut)}};
  const auto plain = tokenizer->encode(whole, false);
  require(tokenizer->encode(parts, false) == plain);
  require(std::ranges::find(plain, control) == plain.end());
  if (keeps_bytes && is_utf8(text)) require(tokenizer->decode(plain) == text);
  tokenizer->encode(text, {.parse_special = true});

  tokenizer::StreamDecoder decoder(*tokenizer);
  for (const tokenizer::TokenId id : ids) decoder.push(id);
  decoder.finish();
  return 0;
}

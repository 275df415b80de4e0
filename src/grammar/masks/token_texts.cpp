#include "grammar/masks/token_texts.hpp"

#include <string>
#include <string_view>

#include "grammar/refusal.hpp"

namespace heed::grammar {
namespace {

/// A text with a byte that is not UTF-8's can be part of nothing that a language holds.
TokenUse use_of(const tokenizer::Tokenizer& tokenizer, TokenId id) {
  if (tokenizer.ends_generation(id)) return TokenUse::end;
  constexpr char kNoBytesOfText[] = {kControlBegin, kControlEnd};
  const bool text = tokenizer.is_text(id);
  const std::string bytes = tokenizer.token_bytes(id, !text);
  if (bytes.find_first_of(std::string_view(kNoBytesOfText, 2)) != std::string::npos) return TokenUse::other;
  return text ? TokenUse::text : bytes.empty() ? TokenUse::other : TokenUse::control;
}

}  // namespace

TokenTexts token_texts(const tokenizer::Tokenizer& tokenizer) {
  TokenTexts texts;
  texts.ends.reserve(tokenizer.size());
  texts.uses.reserve(tokenizer.size());
  for (TokenId id = 0; static_cast<std::size_t>(id) < tokenizer.size(); ++id) {
    texts.uses.push_back(use_of(tokenizer, id));
    if (texts.uses.back() == TokenUse::text) texts.bytes += tokenizer.token_bytes(id);
    if (texts.uses.back() == TokenUse::control) texts.bytes += kControlBegin + tokenizer.token_bytes(id, true) + kControlEnd;
    if (texts.bytes.size() > UINT32_MAX) throw Refusal{"too-large", "", "", "the vocabulary's texts are too long"};
    texts.ends.push_back(static_cast<std::uint32_t>(texts.bytes.size()));
  }
  return texts;
}

}  // namespace heed::grammar

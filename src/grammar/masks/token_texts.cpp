#include "grammar/masks/token_texts.hpp"

#include "grammar/refusal.hpp"

namespace heed::grammar {

TokenTexts token_texts(const tokenizer::Tokenizer& tokenizer) {
  TokenTexts texts;
  texts.ends.reserve(tokenizer.size());
  texts.uses.reserve(tokenizer.size());
  for (TokenId id = 0; static_cast<std::size_t>(id) < tokenizer.size(); ++id) {
    texts.uses.push_back(tokenizer.ends_generation(id) ? TokenUse::end : tokenizer.is_text(id) ? TokenUse::text : TokenUse::other);
    if (texts.uses.back() == TokenUse::text) texts.bytes += tokenizer.token_bytes(id);
    if (texts.bytes.size() > UINT32_MAX) throw Refusal{"too-large", "", "", "the vocabulary's texts are too long"};
    texts.ends.push_back(static_cast<std::uint32_t>(texts.bytes.size()));
  }
  return texts;
}

}  // namespace heed::grammar

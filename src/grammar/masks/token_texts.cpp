#include "grammar/masks/token_texts.hpp"

#include "grammar/refusal.hpp"

namespace heed::grammar {

void TokenTexts::add(TokenUse use, std::string_view text) {
  stored_ += text;
  const std::size_t bytes = stored_.size() - kHead * size_;
  if (bytes > UINT32_MAX) throw Refusal{"too-large", "", "", "the vocabulary's texts are too long"};
  const auto end = static_cast<std::uint32_t>(bytes);
  std::memcpy(stored_.data() + sizeof(end) * added_, &end, sizeof(end));
  stored_[sizeof(end) * size_ + added_++] = static_cast<char>(use);
}

TokenTexts token_texts(const tokenizer::Tokenizer& tokenizer) {
  TokenTexts texts(tokenizer.size());
  for (TokenId id = 0; texts.contains(id); ++id) {
    if (tokenizer.ends_generation(id)) {
      texts.add(TokenUse::end, "");
      continue;
    }
    const bool text = tokenizer.is_text(id);
    const std::string bytes = tokenizer.token_bytes(id, !text);
    // Tokens with these bytes cannot be part of any UTF-8 text.
    constexpr char kNoBytesOfText[] = {kControlBegin, kControlEnd};
    if (bytes.empty() || bytes.find_first_of(std::string_view(kNoBytesOfText, 2)) != std::string::npos)
      texts.add(TokenUse::other, "");
    else if (text) texts.add(TokenUse::text, bytes);
    else texts.add(TokenUse::control, kControlBegin + bytes + kControlEnd);
  }
  return texts;
}

}  // namespace heed::grammar

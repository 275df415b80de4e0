#include "tokenizer/find.hpp"

namespace heed::tokenizer {

std::optional<TokenId> find_token(const Tokenizer& tokenizer, std::string_view text) {
  for (auto id = static_cast<TokenId>(tokenizer.size()); id-- > 0;)
    if (tokenizer.token_bytes(id, true) == text) return id;
  return std::nullopt;
}

}  // namespace heed::tokenizer

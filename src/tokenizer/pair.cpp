#include "tokenizer/pair.hpp"

namespace heed::tokenizer {

std::vector<TokenId> encode_pair(const Tokenizer& tokenizer, std::string_view first, std::string_view second) {
  std::vector<TokenId> ids = tokenizer.encode(first), rest = tokenizer.encode(second);
  const auto bos = tokenizer.bos();
  if (bos && !rest.empty() && rest.front() == *bos) {
    const auto eos = tokenizer.eos();
    const bool parted_by_eos = tokenizer.token_bytes(*bos, true) != "[CLS]" && eos && ids.back() == *eos;
    if (parted_by_eos) rest.front() = *eos;
    else rest.erase(rest.begin());
  }
  ids.insert(ids.end(), rest.begin(), rest.end());
  return ids;
}

}  // namespace heed::tokenizer

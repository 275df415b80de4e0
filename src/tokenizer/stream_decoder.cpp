#include "base/utf8.hpp"
#include "tokenizer/tokenizer.hpp"

namespace heed::tokenizer {
namespace {

// Moves the complete characters from `held` to the result; with `all`, the rest too, as U+FFFD.
std::string release(std::string& held, bool all) {
  std::string text;
  std::string_view rest = held;
  while (!rest.empty()) {
    const auto decoded = utf8::decode(rest);
    if (decoded.sequence == utf8::Sequence::unfinished && !all) break;
    if (decoded.sequence == utf8::Sequence::whole) {
      text += rest.substr(0, decoded.length);
    } else {
      utf8::append(text, utf8::kReplacementCharacter);
    }
    rest.remove_prefix(decoded.length);
  }
  held.erase(0, held.size() - rest.size());
  return text;
}

}  // namespace

std::string StreamDecoder::push(TokenId id) {
  held_ += tokenizer_->token_bytes(id, special_);
  return release(held_, false);
}

std::string StreamDecoder::finish() { return release(held_, true); }

}  // namespace heed::tokenizer

#include "runtime/speculation/forced_guesses.hpp"

#include <algorithm>
#include <string>

namespace heed::runtime {
namespace {

using tokenizer::TokenId;

/// Tokens before the forced text that are tokenized again with it, because many tokenizers put a space before a text.
constexpr std::size_t kContext = 4;
/// The probability that the model splits a text as its tokenizer does.
constexpr double kLikely = 0.95;

}  // namespace

std::vector<Guess> forced_guesses(const tokenizer::Tokenizer& tokenizer, std::span<const TokenId> generated,
                                  std::string_view forced, std::size_t most) {
  if (forced.empty() || most == 0 || generated.empty()) return {};
  const std::string before = tokenizer.decode(generated.last(std::min(kContext, generated.size())));
  const std::vector<TokenId> ids = tokenizer.encode(before + std::string(forced), {.add_special = false, .parse_special = false});
  std::size_t first = 0;  // index of the forced text's first token; ids.size() if no token begins where that text does
  while (first < ids.size() && tokenizer.decode(std::span(ids).first(first)) != before) ++first;
  if (first == ids.size()) return {};
  const auto certain = std::span(ids).subspan(first);
  std::vector<Guess> guesses;
  for (const TokenId id : certain.first(std::min(most, certain.size() - 1))) guesses.push_back({id, kLikely});
  return guesses;
}

}  // namespace heed::runtime

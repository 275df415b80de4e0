#include "tokenizer/plamo.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/utf8.hpp"
#include "tokenizer/visible_space.hpp"

namespace heed::tokenizer {
namespace {

constexpr std::int32_t kCostOfBytes = 10'000'000;  // cost of a character that no token covers
constexpr char32_t kByteOrderMark = U'\uFEFF', kBoundary = U'\uEE00';

// Where PLaMo 3 cuts a text: around markers such as <|plamo:op|>, runs of four or more equal characters, and of two or more spaces.
std::vector<bool> cuts_of(std::span<const Character> text) {
  constexpr std::u32string_view kMarker = U"<|plamo:";
  constexpr std::size_t kLongestName = 64;
  const std::size_t size = text.size();
  std::vector<bool> cuts(size + 1);
  const auto is = [&](std::size_t at, char32_t character) { return at < size && text[at].code_point == character; };
  for (std::size_t i = 0; i < size; ++i) {
    std::size_t end = i;
    while (end < i + kMarker.size() && is(end, kMarker[end - i])) ++end;
    if (end < i + kMarker.size()) continue;
    const auto is_name = [&](const Character& c) {
      return c.code_point != U'|' && c.category != kSpace && (c.code_point < 0x1C || c.code_point > 0x1F);
    };
    const std::size_t most = std::min(size, end + kLongestName);
    while (end < most && is_name(text[end])) ++end;
    if (!is(end, U'|') || !is(end + 1, U'>')) continue;
    cuts[i] = cuts[end + 2] = true;
    i = end + 1;
  }
  for (std::size_t begin = 0, end = 0; begin < size; begin = end) {
    const char32_t character = text[begin].code_point;
    for (end = begin + 1; is(end, character) && !cuts[end];) ++end;
    const std::size_t shortest = character == U' ' ? 2 : 4;
    if (character != U'\n' && end - begin >= shortest) cuts[begin] = cuts[end] = true;
  }
  return cuts;
}

}  // namespace

Plamo::Plamo(const formats::Metadata& metadata, int version)
    : VocabularyTokenizer(metadata, {.bos = 1, .eos = 2, .unknown = 0}, {}),
      version_(version),
      tokens_(vocabulary(), vocabulary().of_kinds({TokenKind::normal, TokenKind::user_defined})),
      byte_ids_(vocabulary().byte_tokens()) {
  costs_.reserve(size());
  for (const float score : vocabulary().read_scores(metadata)) {
    const double cost = std::round(-static_cast<double>(score) * 1e4);
    costs_.push_back(std::abs(cost) < 2 * kCostOfBytes ? static_cast<std::int32_t>(cost) : 2 * kCostOfBytes);
  }
}

void Plamo::encode_text(std::string_view text, WordCache&, std::vector<TokenId>& out) const {
  const std::vector<Character> read = read_characters(text);
  std::span<const Character> rest = read;
  if (version_ == 2) {
    if (!rest.empty() && rest[0].code_point == kByteOrderMark) rest = rest.subspan(1);
    return encode_stretch(rest, out);
  }
  const std::vector<bool> cuts = cuts_of(rest);
  for (std::size_t begin = 0, end = 0; end <= read.size(); ++end) {
    const bool boundary = end < read.size() && read[end].code_point == kBoundary;
    if (end < read.size() && !cuts[end] && !boundary) continue;
    encode_stretch(rest.subspan(begin, end - begin), out);
    begin = end + (boundary ? 1 : 0);
  }
}

// Works backwards: the best segmentation from a position on is a token followed by the best segmentation after it; among equally
// good ones, the longest token wins. Positions within characters are never reached.
void Plamo::encode_stretch(std::span<const Character> text, std::vector<TokenId>& out) const {
  struct Best {
    std::int64_t cost = std::int64_t{1} << 60;
    std::size_t end = 0;  // end of the first token in the segmentation from here on
    TokenId id = -1;
  };
  std::string bytes;
  std::vector<std::size_t> begins;
  for (const Character& character : text) {
    begins.push_back(bytes.size());
    utf8::append(bytes, character.code_point);
  }
  std::vector<Best> best(bytes.size() + 1);
  best.back().cost = 0;
  std::size_t after = bytes.size();  // where the current character ends
  for (auto begin = begins.rbegin(); begin != begins.rend(); after = *begin++) {
    Best& here = best[*begin];
    here = {best[after].cost + kCostOfBytes, after};
    Trie::Node node = Trie::kRoot;
    for (std::size_t end = *begin; end < bytes.size();) {
      node = tokens_.child(node, bytes[end++]);
      if (node == Trie::kRoot) break;
      const TokenId id = tokens_.token(node);
      if (id < 0 || costs_[static_cast<std::size_t>(id)] == 2 * kCostOfBytes) continue;
      const std::int64_t cost = best[end].cost + costs_[static_cast<std::size_t>(id)];
      if (cost <= here.cost) here = {cost, end, id};
    }
  }
  for (std::size_t at = 0; at < bytes.size(); at = best[at].end) {
    if (best[at].id >= 0) {
      out.push_back(best[at].id);
      continue;
    }
    for (std::size_t i = at; i < best[at].end; ++i)
      if (const auto id = byte_ids_[to_byte(bytes[i])]) out.push_back(*id);
  }
}

}  // namespace heed::tokenizer

#include "tokenizer/unigram.hpp"

#include <algorithm>
#include <limits>

#include "base/error.hpp"
#include "base/utf8.hpp"
#include "tokenizer/visible_space.hpp"

namespace heed::tokenizer {
namespace {

// Throws unsupported if a setting of SentencePiece has `value`, for which the normalization is not implemented.
void reject(const formats::Metadata& metadata, const char* key, bool value) {
  if (metadata.flag(key, !value) == value)
    throw Error(ErrorCode::unsupported, value ? "true is not supported" : "false is not supported", key);
}

std::size_t length_of_character(std::string_view text) noexcept { return std::min(utf8::announced_length(text[0]), text.size()); }

}  // namespace

Unigram::Unigram(const formats::Metadata& metadata)
    : VocabularyTokenizer(metadata, {.eos = 1, .unknown = 2, .add_eos = true, .user_defined_by_score = true},
                          {.leading_space = metadata.flag(kAddSpacePrefix, false)}),
      charsmap_(metadata),
      tokens_(vocabulary(), vocabulary().of_kinds({TokenKind::normal})),
      scores_(vocabulary().read_scores(metadata)),
      own_(vocabulary(), own_pieces()),
      unknown_(vocabulary().require_unknown()),
      add_space_prefix_(metadata.flag(kAddSpacePrefix, false)),
      remove_extra_spaces_(metadata.flag("tokenizer.ggml.remove_extra_whitespaces", false)) {
  reject(metadata, "tokenizer.ggml.normalizer.nfc", true);
  reject(metadata, "tokenizer.ggml.escape_whitespaces", false);
  reject(metadata, "tokenizer.ggml.treat_whitespace_as_suffix", true);

  constexpr float kPenalty = 10;
  float lowest = std::numeric_limits<float>::max();
  for (TokenId id : vocabulary().of_kinds({TokenKind::normal})) {
    const float score = scores_[static_cast<std::size_t>(id)];
    if (score != kOwn) lowest = std::min(lowest, score);
  }
  unknown_score_ = lowest - kPenalty;
  byte_ids_ = vocabulary().byte_tokens();
  for (auto& id : byte_ids_) {
    if (id && vocabulary().kind(*id) != TokenKind::byte) id.reset();
  }
}

std::vector<TokenId> Unigram::own_pieces() const {
  std::vector<TokenId> ids = vocabulary().of_kinds({TokenKind::normal});
  std::erase_if(ids, [&](TokenId id) { return scores_[static_cast<std::size_t>(id)] != kOwn; });
  return ids;
}

Charsmap::Replacement Unigram::next(std::string_view text) const noexcept {
  if (const std::size_t length = own_.longest_prefix(text).length; length > 0) return {length, text.substr(0, length)};
  if (const auto replacement = charsmap_.find(text)) return *replacement;
  const auto decoded = utf8::decode(text, utf8::Surrogates::accepted);
  if (decoded.sequence != utf8::Sequence::whole) return {1, "\uFFFD"};
  return {decoded.length, text.substr(0, decoded.length)};
}

// Replaces spaces by U+2581, adds one at the beginning, and removes spaces at both ends and repeated ones, as the file specifies.
std::string Unigram::normalize(std::string_view text) const {
  std::string out;
  out.reserve(text.size() + text.size() / 2);
  if (add_space_prefix_) out += kVisibleSpace;
  bool after_space = remove_extra_spaces_;
  std::size_t end = 0;  // after the last character other than space
  while (!text.empty()) {
    auto [length, replacement] = next(text);
    text.remove_prefix(length);
    if (after_space) replacement.remove_prefix(std::min(replacement.find_first_not_of(' '), replacement.size()));
    for (char c : replacement) {
      if (c == ' ') {
        out += kVisibleSpace;
      } else {
        out.push_back(c);
        end = out.size();
      }
    }
    if (remove_extra_spaces_ && !replacement.empty()) after_space = replacement.ends_with(' ');
  }
  if (remove_extra_spaces_) out.resize(end);
  return out;
}

// Viterbi's algorithm: the best segmentation up to a position consists of the best one up to the beginning of its last token, and
// that token. Sums are floats, as in SentencePiece: after a thousand tokens, rounding decides between segmentations with almost
// equal scores.
void Unigram::encode_text(std::string_view plain, WordCache&, std::vector<TokenId>& out) const {
  struct Best {
    float score = std::numeric_limits<float>::lowest();
    std::uint32_t begin = 0;  // start of the last token
    TokenId id = -1;
  };
  const std::string text = normalize(plain);
  if (text.empty()) return;
  std::vector<Best> best(text.size() + 1, Best{.id = unknown_});
  best[0].score = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t character = length_of_character(std::string_view(text).substr(begin));
    const auto propose = [&](std::size_t end, TokenId id, float score) {
      const float total = best[begin].score + score;
      if (total > best[end].score) best[end] = {total, static_cast<std::uint32_t>(begin), id};
    };
    bool is_token = false;  // the single character is a token
    Trie::Node node = Trie::kRoot;
    for (std::size_t end = begin; end < text.size();) {
      node = tokens_.child(node, text[end++]);
      if (node == Trie::kRoot) break;
      const TokenId id = tokens_.token(node);
      if (id < 0) continue;
      is_token |= end - begin == character;
      propose(end, id, score(id));
    }
    if (!is_token) propose(begin + character, unknown_, unknown_score_);
    begin += character;
  }

  // Collects the tokens backwards. Unknown characters become byte tokens, if the vocabulary has these; otherwise, a run of them
  // becomes one unknown token.
  const std::size_t first = out.size();
  for (std::size_t end = text.size(); end > 0; end = best[end].begin) {
    const TokenId id = best[end].id;
    if (id != unknown_) {
      out.push_back(id);
      continue;
    }
    for (std::size_t i = end; i-- > best[end].begin;) {
      const TokenId token = byte_ids_[to_byte(text[i])].value_or(unknown_);
      if (token != unknown_ || out.size() == first || out.back() != unknown_) out.push_back(token);
    }
  }
  std::reverse(out.begin() + static_cast<std::ptrdiff_t>(first), out.end());
}

void Unigram::append_normal(std::string_view text, std::string& out) const { append_with_spaces(out, text); }

}  // namespace heed::tokenizer

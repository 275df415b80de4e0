#include "tokenizer/unigram.hpp"

#include <algorithm>
#include <limits>

#include "base/error.hpp"
#include "base/utf8.hpp"
#include "tokenizer/visible_space.hpp"

namespace heed::tokenizer {
namespace {

// Throws unsupported if a setting of SentencePiece has this value, which means a normalization that we do not implement.
void reject(const formats::Metadata& metadata, const char* key, bool value) {
  if (metadata.flag(key, !value) == value)
    throw Error(ErrorCode::unsupported, value ? "true is not supported" : "false is not supported", key);
}

std::size_t length_of_character(std::string_view text) noexcept { return std::min(utf8::announced_length(text[0]), text.size()); }

}  // namespace

Unigram::Unigram(const formats::Metadata& metadata)
    : VocabularyTokenizer(metadata, {.eos = 1, .unknown = 2, .add_eos = true},
                          {.leading_space = metadata.flag(kAddSpacePrefix, false)}),
      charsmap_(metadata),
      tokens_(vocabulary(), vocabulary().of_kinds({TokenKind::normal, TokenKind::user_defined, TokenKind::unused})),
      user_defined_(vocabulary(), vocabulary().of_kinds({TokenKind::user_defined})),
      scores_(vocabulary().read_scores(metadata)),
      unknown_(vocabulary().require_unknown()),
      add_space_prefix_(metadata.flag(kAddSpacePrefix, false)),
      remove_extra_spaces_(metadata.flag("tokenizer.ggml.remove_extra_whitespaces", false)) {
  reject(metadata, "tokenizer.ggml.normalizer.nfc", true);
  reject(metadata, "tokenizer.ggml.escape_whitespaces", false);
  reject(metadata, "tokenizer.ggml.treat_whitespace_as_suffix", true);

  constexpr float kPenalty = 10;
  float lowest = std::numeric_limits<float>::max();
  for (TokenId id : vocabulary().of_kinds({TokenKind::normal})) lowest = std::min(lowest, scores_[static_cast<std::size_t>(id)]);
  unknown_score_ = lowest - kPenalty;
  for (TokenId id : vocabulary().of_kinds({TokenKind::user_defined})) scores_[static_cast<std::size_t>(id)] = 0;
}

// Does not normalize user-defined tokens, nor (as llama.cpp) their prefixes.
Charsmap::Replacement Unigram::next(std::string_view text) const noexcept {
  if (const std::size_t length = user_defined_.agreement(text); length > 0) return {length, text.substr(0, length)};
  if (const auto replacement = charsmap_.find(text)) return *replacement;
  const auto decoded = utf8::decode(text, utf8::Surrogates::accepted);
  if (decoded.sequence != utf8::Sequence::whole) return {1, "\uFFFD"};
  return {decoded.length, text.substr(0, decoded.length)};
}

// Replaces spaces by U+2581, adds one at the beginning, and collapses runs, as the file specifies.
std::string Unigram::normalize(std::string_view text) const {
  std::string out;
  out.reserve(text.size() + text.size() / 2);
  bool in_word = false, prefix = add_space_prefix_;
  while (!text.empty()) {
    const auto [length, replacement] = next(text);
    text.remove_prefix(length);
    for (char c : replacement) {
      const bool space = c == ' ', word_begins = !space && !in_word;
      const bool visible = space ? !remove_extra_spaces_ : word_begins && (prefix || remove_extra_spaces_);
      if (visible) out += kVisibleSpace;
      if (word_begins) prefix = false;
      if (!space) out.push_back(c);
      in_word = !space;
    }
  }
  return out;
}

// Viterbi's algorithm: the best segmentation up to a position is the best one up to the beginning of its last token, and that token.
void Unigram::encode_text(std::string_view plain, WordCache&, std::vector<TokenId>& out) const {
  struct Best {
    double score = std::numeric_limits<double>::lowest();
    std::uint32_t begin = 0;  // of the last token
    TokenId id = -1;
  };
  const std::string text = normalize(plain);
  if (text.empty()) return;
  std::vector<Best> best(text.size() + 1, Best{.id = unknown_});
  best[0].score = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t character = length_of_character(std::string_view(text).substr(begin));
    const auto propose = [&](std::size_t end, TokenId id, double score) {
      const double total = best[begin].score + score;
      if (total > best[end].score) best[end] = {total, static_cast<std::uint32_t>(begin), id};
    };
    bool is_token = false;  // the character alone
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

  // Backwards; a run of unknown tokens becomes one.
  const std::size_t first = out.size();
  for (std::size_t end = text.size(); end > 0; end = best[end].begin) {
    const TokenId id = best[end].id;
    if (id != unknown_ || end == text.size() || out.back() != unknown_) out.push_back(id);
  }
  std::reverse(out.begin() + static_cast<std::ptrdiff_t>(first), out.end());
}

void Unigram::append_normal(std::string_view text, std::string& out) const { append_with_spaces(out, text); }

}  // namespace heed::tokenizer

#include "tokenizer/token_roles.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "base/error.hpp"
#include "tokenizer/special_tokens.hpp"

namespace heed::tokenizer {
namespace {

// Ends of turns, messages and documents.
// clang-format off
constexpr std::string_view kGenerationEnds[] = {
    "</s>", "<eos>", "[EOS]", "<EOT>", "_<EOT>", "[EOT]", "<|endoftext|>", "<|end_of_text|>", "<|eot_id|>",
    "<|eom_id|>", "<|im_end|>", "<|end|>", "<|return|>", "<|call|>", "<|calls|>", "<|flush|>", "<end_of_turn>", "<turn|>",
    "<|tool_response>", "<end_of_utterance>", "<｜end▁of▁sentence｜>", "[e~[",
};
// clang-format on

// Fill-in-the-middle tokens: the metadata key of the token, and its text, used if the file lacks the key.
struct InfillRole {
  const char* key;
  bool ends_generation;
  std::array<std::string_view, 8> texts;
};
constexpr InfillRole kInfillRoles[] = {
    {"tokenizer.ggml.fim_pre_token_id",
     false,
     {"<|fim_prefix|>", "<fim-prefix>", "<fim_prefix>", "<｜fim▁begin｜>", "<PRE>", "▁<PRE>", "<|code_prefix|>"}},
    {"tokenizer.ggml.fim_suf_token_id",
     false,
     {"<|fim_suffix|>", "<fim-suffix>", "<fim_suffix>", "<｜fim▁hole｜>", "<SUF>", "▁<SUF>", "<|code_suffix|>"}},
    {"tokenizer.ggml.fim_mid_token_id",
     false,
     {"<|fim_middle|>", "<fim-middle>", "<fim_middle>", "<｜fim▁end｜>", "<MID>", "▁<MID>", "<|code_middle|>"}},
    {"tokenizer.ggml.fim_pad_token_id", true, {"<|fim_pad|>", "<fim-pad>", "<fim_pad>", "<PAD>", "[PAD]"}},
    {"tokenizer.ggml.fim_rep_token_id", true, {"<|fim_repo|>", "<|repo_name|>", "<fim-repo>", "<REPO>", "<reponame>"}},
    {"tokenizer.ggml.fim_sep_token_id", true, {"<|file_sep|>"}},
};

// Markers of the Harmony format that are part of the text. (llama.cpp makes them user-defined, and thus finds them in any text.)
constexpr std::string_view kShownTokens[] = {"<|channel|>", "<|message|>", "<|start|>", "<|constrain|>"};

bool is_markup(std::string_view text) noexcept {
  return text.size() > 2 && ((text.starts_with('<') && text.ends_with('>')) || (text.starts_with('[') && text.ends_with(']')));
}

/// User-defined tokens that mark turns, calls and thoughts, such as <tool_response>: the file's chat templates contain them.
/// (llama.cpp finds these in any text, too.)
std::vector<TokenId> template_tokens(const Vocabulary& vocabulary, const formats::Metadata& metadata) {
  std::vector<TokenId> markup = vocabulary.of_kinds({TokenKind::user_defined}), found;
  std::erase_if(markup, [&](TokenId id) { return !is_markup(vocabulary.text(id)); });
  const SpecialTokens tokens(vocabulary, std::move(markup), {});
  constexpr std::string_view kTemplates = "tokenizer.chat_template";
  const auto& values = metadata.values();
  for (auto entry = values.lower_bound(kTemplates); entry != values.end() && entry->first.starts_with(kTemplates); ++entry)
    if (const auto* text = std::get_if<std::string>(&entry->second))
      for (const auto& occurrence : tokens.find(*text)) found.push_back(occurrence.id);
  return found;
}

}  // namespace

std::optional<TokenId> token_id(const formats::Metadata& metadata, const char* key, std::size_t size) {
  if (!metadata.contains(key)) return std::nullopt;
  const std::uint32_t id = metadata.count(key);
  return id < size ? std::optional(static_cast<TokenId>(id)) : std::nullopt;
}

TokenRoles find_roles(const Vocabulary& vocabulary, const formats::Metadata& metadata) {
  TokenRoles roles;
  auto& ends = roles.generation_ends;

  for (const InfillRole& role : kInfillRoles) {
    auto id = token_id(metadata, role.key, vocabulary.size());
    for (auto text = role.texts.begin(); !id && text != role.texts.end(); ++text) {
      id = vocabulary.find(*text);
      if (id) roles.kinds.emplace_back(*id, TokenKind::control);
    }
    if (id && role.ends_generation) ends.push_back(*id);
  }
  for (std::string_view text : kGenerationEnds) {
    if (const auto id = vocabulary.find(text)) {
      ends.push_back(*id);
      roles.kinds.emplace_back(*id, TokenKind::control);
    }
  }
  for (const char* key : {"tokenizer.ggml.eot_token_id", "tokenizer.ggml.eom_token_id"}) {
    if (const auto id = token_id(metadata, key, vocabulary.size())) ends.push_back(*id);
  }
  if (vocabulary.eos()) ends.push_back(*vocabulary.eos());
  for (std::string_view text : kShownTokens) {
    if (const auto id = vocabulary.find(text)) roles.kinds.emplace_back(*id, TokenKind::shown);
  }
  for (const TokenId id : template_tokens(vocabulary, metadata)) roles.kinds.emplace_back(id, TokenKind::shown);

  const auto has = [&](std::string_view text) { return vocabulary.find(text).has_value(); };
  const auto not_an_end = [&](std::string_view text, TokenKind kind) {
    const auto id = vocabulary.find(text);
    if (!id) return;
    std::erase(ends, *id);
    roles.kinds.emplace_back(*id, kind);
  };
  // Formats with other end tokens use <|end|> only for the end of a message.
  const bool call = has("<|call|>") || has("<|calls|>");
  if (call && (has("<|return|>") || has("<|flush|>"))) not_an_end("<|end|>", TokenKind::shown);
  if (has("<|tool_response>") || has("<|plamo:eos|>")) not_an_end("</s>", TokenKind::normal);
  return roles;
}

}  // namespace heed::tokenizer

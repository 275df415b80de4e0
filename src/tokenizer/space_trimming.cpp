#include "tokenizer/space_trimming.hpp"

#include <algorithm>
#include <initializer_list>
#include <string>

namespace heed::tokenizer {
namespace {

constexpr std::string_view kSpaces = " \t\n\v\f\r";

bool contains_any(std::string text, std::initializer_list<std::string_view> names) {
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return std::any_of(names.begin(), names.end(), [&](auto name) { return text.find(name) != text.npos; });
}

}  // namespace

SpaceTrimming::SpaceTrimming(const Vocabulary& vocabulary, const formats::Metadata& metadata) {
  const std::string name = metadata.text("general.name", "");
  if (contains_any(metadata.text("tokenizer.ggml.pre", ""), {"jina-v2-de", "jina-v2-es", "jina-v2-code"}) ||
      contains_any(metadata.text("general.architecture", ""), {"nomic-bert-moe", "jina-bert-v3"})) {
    before_ = vocabulary.find("<mask>");
  } else if (contains_any(name, {"phi-3", "phi3"})) {
    after_ = true;
    for (std::string_view text : {"<unk>", "<s>", "<|endoftext|>"}) {
      if (const auto id = vocabulary.find(text)) not_after_.push_back(*id);
    }
  } else if (contains_any(name, {"modern-bert"})) {
    before_ = vocabulary.find("[MASK]");
  }
}

bool SpaceTrimming::after(TokenId id) const noexcept {
  return after_ && std::find(not_after_.begin(), not_after_.end(), id) == not_after_.end();
}

std::size_t end_without_space(std::string_view text, std::size_t begin, std::size_t end) noexcept {
  while (end > begin && kSpaces.find(text[end - 1]) != kSpaces.npos) --end;
  return end;
}

std::size_t begin_without_space(std::string_view text, std::size_t begin) noexcept {
  while (begin < text.size() && kSpaces.find(text[begin]) != kSpaces.npos) ++begin;
  return begin;
}

}  // namespace heed::tokenizer

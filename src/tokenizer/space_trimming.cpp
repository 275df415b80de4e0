#include "tokenizer/space_trimming.hpp"

#include <algorithm>
#include <iterator>
#include <string>

namespace heed::tokenizer {
namespace {

constexpr std::string_view kSpaces = " \t\n\v\f\r";
constexpr std::string_view kNotAfter[] = {"<unk>", "<s>", "<|endoftext|>"};

// A model is recognized if the value of `key` contains `part`, ignoring case, and its vocabulary is of the kind `model`, if that is
// given. The named token absorbs the space before it; without a name, almost all special tokens absorb the space after them.
struct Habit {
  const char* key;
  std::string_view part;
  std::string_view token;
  std::string_view model = {};
};
constexpr Habit kHabits[] = {
    {"tokenizer.ggml.pre", "jina-v2-de", "<mask>"},
    {"tokenizer.ggml.pre", "jina-v2-es", "<mask>"},
    {"tokenizer.ggml.pre", "jina-v2-code", "<mask>"},
    {"general.architecture", "nomic-bert-moe", "<mask>"},
    {"general.architecture", "jina-bert-v3", "<mask>"},
    {"general.name", "phi-3", ""},
    {"general.name", "phi3", ""},
    {"general.name", "modern-bert", "[MASK]"},
    // Newer files spell the name otherwise ("Phi 3.5 Mini Instruct"), and those of other people's versions have any name.
    {"general.architecture", "phi3", "", "llama"},
};

bool has(const formats::Metadata& metadata, const Habit& habit) {
  if (!habit.model.empty() && metadata.text("tokenizer.ggml.model", "") != habit.model) return false;
  std::string text = metadata.text(habit.key, "");
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return text.find(habit.part) != text.npos;
}

}  // namespace

SpaceTrimming::SpaceTrimming(const Vocabulary& vocabulary, const formats::Metadata& metadata) {
  const auto habit = std::find_if(std::begin(kHabits), std::end(kHabits), [&](const Habit& each) { return has(metadata, each); });
  if (habit == std::end(kHabits)) return;
  after_ = habit->token.empty();
  if (!after_) before_ = vocabulary.find(habit->token);
  for (std::size_t i = 0; i < not_after_.size(); ++i) not_after_[i] = vocabulary.find(kNotAfter[i]);
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

#include "tokenizer/whisper_tokens.hpp"

namespace heed::tokenizer {
namespace {

/// The codes of the languages, in the order of their ids; see https://github.com/openai/whisper/blob/main/whisper/tokenizer.py.
constexpr std::string_view kCodes =
    "en zh de es ru ko fr ja pt tr pl ca nl ar sv it id hi fi vi he uk el ms cs ro da hu ta no th ur hr bg lt la mi ml cy sk te fa "
    "lv bn sr az sl kn et mk br eu is hy ne mn bs kk sq sw gl mr pa si km sn yo so af oc ka be tg sd gu am yi lo uz fo ht ps tk nn "
    "mt sa lb my bo tl mg as tt haw ln ha ba jw su yue";
constexpr std::string_view kTasks = "translate transcribe startoflm startofprev nospeech notimestamps";
constexpr std::size_t kLanguages = 100, kEnglishVocabulary = 51864;

/// Word `number` of a list; empty if there is none.
std::string_view word(std::string_view list, std::size_t number) noexcept {
  while (number-- > 0) {
    const std::size_t space = list.find(' ');
    if (space == std::string_view::npos) return {};
    list = list.substr(space + 1);
  }
  return list.substr(0, list.find(' '));
}

}  // namespace

WhisperTokens::WhisperTokens(std::size_t vocabulary) noexcept
    : languages(vocabulary > kEnglishVocabulary ? static_cast<std::int32_t>(vocabulary - 51766) : 0), size(vocabulary) {
  // English-only vocabularies, too, have ids for 99 languages.
  end = multilingual() ? 50257 : 50256;
  start = end + 1;
  translate = start + 1 + (multilingual() ? languages : 99);
  transcribe = translate + 1;
  turn = translate + 2;
  previous = translate + 3;
  no_speech = translate + 4;
  no_timestamps = translate + 5;
  first_time = translate + 6;
}

std::string_view WhisperTokens::code(std::size_t number) noexcept { return word(kCodes, number); }

std::optional<std::int32_t> WhisperTokens::language(std::string_view text) const noexcept {
  for (std::int32_t i = 0; i < languages && i < static_cast<std::int32_t>(kLanguages); ++i)
    if (code(static_cast<std::size_t>(i)) == text) return start + 1 + i;
  return std::nullopt;
}

std::string WhisperTokens::name(std::int32_t id) const {
  if (id < end) return {};
  std::string name;
  if (is_time(id)) {  // in seconds
    const std::int32_t hundredths = 2 * (id - first_time);
    name = std::to_string(hundredths / 100) + "." + std::to_string(hundredths % 100 + 100).substr(1);
  } else if (id >= translate) {
    name = word(kTasks, static_cast<std::size_t>(id - translate));
  } else {
    name = id == end ? "endoftext" : id == start ? "startoftranscript" : code(static_cast<std::size_t>(id - start - 1));
  }
  return "<|" + name + "|>";
}

}  // namespace heed::tokenizer

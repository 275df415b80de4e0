// The special tokens of Whisper (arXiv:2212.04356), whose ids follow from the size of the vocabulary alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace heed::tokenizer {

struct WhisperTokens {
  std::int32_t end, start, translate, transcribe, turn, previous, no_speech, no_timestamps, first_time;
  std::int32_t languages;  // their number (their ids follow `start`); 0 for an English-only model
  std::size_t size;        // of the vocabulary

  /// `vocabulary`: at least 51864.
  explicit WhisperTokens(std::size_t vocabulary) noexcept;

  bool multilingual() const noexcept { return languages > 0; }
  bool is_time(std::int32_t id) const noexcept { return id >= first_time; }
  /// The id of a language by its code, such as "de"; nullopt for one that the model does not know.
  std::optional<std::int32_t> language(std::string_view code) const noexcept;
  /// The code of a language by its number from 0 on.
  static std::string_view code(std::size_t number) noexcept;
  /// The name of a special token, such as <|de|>; empty for a word.
  std::string name(std::int32_t id) const;
};

}  // namespace heed::tokenizer

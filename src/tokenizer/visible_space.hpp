// U+2581, which SentencePiece's vocabularies, and WordPiece's in GGUF, write for a space.
#pragma once

#include <string>
#include <string_view>

namespace heed::tokenizer {

inline constexpr std::string_view kVisibleSpace = "\u2581";

/// Appends `text` with spaces for U+2581.
inline void append_with_spaces(std::string& out, std::string_view text) {
  for (std::size_t at = 0; (at = text.find(kVisibleSpace)) != text.npos;
       text.remove_prefix(at + kVisibleSpace.size())) {
    out += text.substr(0, at);
    out.push_back(' ');
  }
  out += text;
}

}  // namespace heed::tokenizer

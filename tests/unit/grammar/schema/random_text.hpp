// Random texts of a schema's language, byte by byte.
#pragma once

#include <catch2/catch_test_macros.hpp>
#include <random>
#include <string>

#include "unit/grammar/schema/texts.hpp"

namespace heed::test {

/// A random text of bytes that the language allows; "" if it does not end within `limit` bytes.
inline std::string random_text(SchemaTexts& texts, std::mt19937& random, std::size_t limit = 160) {
  using grammar::State;
  grammar::Language& language = texts.language();
  language.budget().refill();
  State state = language.start();
  std::string text;
  while (text.size() < limit) {
    if (language.accepts(state) && random() % 2 == 0) return text;
    // Avoids unnecessary digits, letters and spaces, so that texts end sooner.
    std::string closing, other;
    for (const char byte : std::string("]}\",:0123456789.-tfnrueals[{bc \\")) {
      if (language.step(state, static_cast<std::uint8_t>(byte)) == State::kDead) continue;
      (std::string("]}\",:").find(byte) != std::string::npos ? closing : other) += byte;
    }
    if (closing.empty() && other.empty())
      for (int byte = 0; byte < 256; ++byte)
        if (language.step(state, static_cast<std::uint8_t>(byte)) != State::kDead) other += static_cast<char>(byte);
    if (closing.empty() && other.empty()) {
      INFO(text);
      CHECK(language.accepts(state));  // otherwise it is a dead end
      return language.accepts(state) ? text : "";
    }
    const std::string& bytes = other.empty() || (!closing.empty() && random() % 3 != 0) ? closing : other;
    text += bytes[random() % bytes.size()];
    state = language.step(state, static_cast<std::uint8_t>(text.back()));
  }
  return language.accepts(state) ? text : "";
}

}  // namespace heed::test

#include "tokenizer/byte_alphabet.hpp"

#include <catch2/catch_test_macros.hpp>
#include <set>
#include <string>

using namespace heed::tokenizer;

TEST_CASE("bytes have the characters that GPT-2 gave them", "[tokenizer]") {
  std::string characters;
  append_as_characters(characters, std::string_view(" \n\t\0aé\x7F\xA0\xAD\xFF", 11));
  CHECK(characters == "ĠĊĉĀaÃ©ġłŃÿ");
}

TEST_CASE("every byte has a character of its own", "[tokenizer]") {
  CHECK(std::set<char16_t>(kCharacterOfByte.begin(), kCharacterOfByte.end()).size() == 256);
  std::string bytes;
  for (int byte = 0; byte < 256; ++byte) bytes.push_back(static_cast<char>(byte));
  std::string characters, back;
  append_as_characters(characters, bytes);
  append_as_bytes(back, characters);
  CHECK(back == bytes);
}

TEST_CASE("characters that stand for no byte are copied", "[tokenizer]") {
  std::string bytes;
  append_as_bytes(bytes, "Ġa|▁ \xFFĊ");
  CHECK(bytes == " a|▁ \xFF\n");
}

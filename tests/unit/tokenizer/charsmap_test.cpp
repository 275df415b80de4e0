#include "tokenizer/charsmap.hpp"

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "support/errors.hpp"
#include "unit/tokenizer/charsmaps.hpp"

using namespace heed;
using tokenizer::Charsmap;

namespace {

constexpr const char* kKey = "tokenizer.ggml.precompiled_charsmap";
const std::map<std::string, std::string> kReplacements = {{"a", "b"},       {"abc", "xyz"},    {"\u00E9", "e"},
                                                          {"\uFB01", "fi"}, {"...", "\u2026"}, {"\u00AD", ""}};

Charsmap read(formats::Metadata::Integers bytes) {
  formats::Metadata metadata;
  metadata.set(kKey, std::move(bytes));
  return Charsmap(metadata);
}

void refuses(const std::string& why, formats::Metadata::Integers bytes) {
  INFO(why);
  test::check_throws(ErrorCode::invalid_file, std::string(kKey) + ": " + why, [&] { read(bytes); });
}

}  // namespace

TEST_CASE("a charsmap replaces the longest beginning that it knows", "[tokenizer]") {
  const Charsmap charsmap = read(test::CharsmapBuilder(kReplacements).bytes());
  const auto replaced = [&](std::string_view text) {
    const auto found = charsmap.find(text);
    return found ? std::to_string(found->length) + " " + std::string(found->text) : "none";
  };
  CHECK(replaced("a") == "1 b");
  CHECK(replaced("abd") == "1 b");
  CHECK(replaced("abcd") == "3 xyz");
  CHECK(replaced("\u00E9a") == "2 e");
  CHECK(replaced("\uFB01") == "3 fi");
  CHECK(replaced("....") == "3 \u2026");
  CHECK(replaced("\u00AD.") == "2 ");
  for (const std::string text : {"", "b", "..", "\xC3", "c"}) CHECK(replaced(text) == "none");
  CHECK(replaced({"\0a", 2}) == "none");
}

TEST_CASE("a charsmap whose endings are shared is read in no more steps than it has units", "[tokenizer]") {
  for (std::uint32_t length : {11U, 1000U}) {
    const Charsmap charsmap = read(test::CharsmapBuilder::shared(length).bytes());
    std::string text;
    for (std::uint32_t i = 0; i < length; ++i) text.push_back(i % 3 == 0 ? 'a' : 'b');
    CHECK(charsmap.find(text + "ab")->length == length);
    CHECK_FALSE(charsmap.find(std::string_view(text).substr(1)));
  }
  refuses("contains a cycle, or a key of more than 1024 bytes", test::CharsmapBuilder::shared(1025).bytes());
}

TEST_CASE("a file without a charsmap has nothing replaced", "[tokenizer]") {
  CHECK_FALSE(Charsmap(formats::Metadata()).find("a"));
  CHECK_FALSE(read({}).find("a"));
}

TEST_CASE("charsmaps that are broken are refused", "[tokenizer]") {
  const auto whole = test::CharsmapBuilder(kReplacements).bytes();
  for (std::size_t length : {1, 3, 4, 100, 4 + 1024})
    refuses("is truncated", {whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length)});
  refuses("has values that are not bytes", {1, 0, 0, 256});
  refuses("has values that are not bytes", {-129, 0, 0, 0, 0});

  test::CharsmapBuilder endless(kReplacements);
  endless.texts().pop_back();
  refuses("a replacement is not terminated", endless.bytes());
  test::CharsmapBuilder huge({{"a", std::string(2000, 'b')}});
  refuses("a replacement is not terminated", huge.bytes());

  test::CharsmapBuilder textless(kReplacements);
  textless.texts() = "x";
  refuses("", textless.bytes());

  test::CharsmapBuilder beyond(kReplacements);
  beyond.units()[0] = 0xFFFFFC00;
  refuses("points beyond its end", beyond.bytes());

  // The unit of "a" leads back to where it stands itself, over and over.
  test::CharsmapBuilder round({{"a", "b"}});
  const std::uint32_t base = round.units()[0] >> 10;
  round.units()[base ^ 'a'] = std::uint32_t{'a'} << 10 | 'a';
  refuses("contains a cycle", round.bytes());
}

TEST_CASE("no damage to a charsmap does more than an error", "[tokenizer]") {
  const auto whole = test::CharsmapBuilder(kReplacements).bytes();
  for (std::size_t i = 0; i < whole.size(); ++i) {
    if (whole[i] == 0x80 && i % 7 != 0) continue;
    for (int change : {0x01, 0x80, 0xFF}) {
      auto damaged = whole;
      damaged[i] ^= change;
      try {
        const Charsmap charsmap = read(damaged);
        for (std::string_view text : {"abcabc", "\u00E9\uFB01", "....", "zzzz"}) {
          const auto found = charsmap.find(text);
          CHECK((!found || (found->length <= text.size() && found->text.size() < 1024)));
        }
      } catch (const Error& error) {
        CHECK(error.code() == ErrorCode::invalid_file);
      }
    }
  }
}

#include "tokenizer/word_patterns.hpp"

#include <catch2/catch_test_macros.hpp>
#include <random>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

#include "base/utf8.hpp"
#include "tokenizer/pretokenizer.hpp"

using namespace heed;
using Words = std::vector<std::string>;

namespace {

Words words(std::string_view name, std::string_view text) {
  const auto characters = tokenizer::read_characters(text);
  Words all;
  tokenizer::split_words(characters, tokenizer::find_pretokenizer(name).stages, [&](auto word) {
    all.emplace_back();
    for (const auto& character : word) utf8::append(all.back(), character.code_point);
  });
  return all;
}

// The same by std::regex, which knows ASCII only; what lies between matches is a word too.
Words words_by_regex(const std::vector<std::string>& stages, const std::string& text) {
  Words pieces = {text};
  for (const std::string& stage : stages) {
    const std::regex regex(stage);
    Words next;
    for (const std::string& piece : pieces) {
      std::size_t done = 0;
      for (std::sregex_iterator match(piece.begin(), piece.end(), regex), end; match != end; ++match) {
        const auto at = static_cast<std::size_t>(match->position());
        if (at > done) next.push_back(piece.substr(done, at - done));
        if (match->length() > 0) next.push_back(match->str());
        done = at + static_cast<std::size_t>(match->length());
      }
      if (done < piece.size()) next.push_back(piece.substr(done));
    }
    pieces = std::move(next);
  }
  return pieces;
}

const std::string kContraction = "'(?:[sS]|[tT]|[rR][eE]|[vV][eE]|[mM]|[lL][lL]|[dD])";
const std::string kSpaces = "|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+";
const std::string kGpt2 = "'s|'t|'re|'ve|'m|'ll|'d| ?[A-Za-z]+| ?[0-9]+| ?[^\\sA-Za-z0-9]+|\\s+(?!\\S)|\\s+";
const std::string kLead = "[^\\r\\nA-Za-z0-9]?";
const std::string kMarks = "| ?[^\\sA-Za-z0-9]+[\\r\\n]*";
const std::string kO200k = kLead + "[A-Z]*[a-z]+C?|" + kLead + "[A-Z]+[a-z]*C?|";

std::string o200k(const std::string& contraction, const std::string& digits) {
  std::string words = kO200k;
  for (auto at = words.find("C?"); at != words.npos; at = words.find("C?"))
    words.replace(at, 2, contraction.empty() ? "" : "(?:" + contraction + ")?");
  return words + digits + "| ?[^\\sA-Za-z0-9]+[\\r\\n/]*" + kSpaces;
}

struct Published {
  const char* name;
  std::vector<std::string> stages;
};

const std::vector<Published> kPublished = {
    {"gpt-2", {kGpt2}},
    {"llama-bpe", {kContraction + "|" + kLead + "[A-Za-z]+|[0-9]{1,3}" + kMarks + kSpaces}},
    {"qwen2", {kContraction + "|" + kLead + "[A-Za-z]+|[0-9]" + kMarks + kSpaces}},
    {"seed-coder", {kContraction + "|" + kLead + "[A-Za-z]+|[0-9]| ?[^\\sA-Za-z0-9\\r\\n]+" + kSpaces}},
    {"gpt-4o", {o200k(kContraction, "[0-9]{1,3}")}},
    {"tekken", {o200k("", "[0-9]")}},
    {"starcoder", {"[0-9]", kGpt2}},
    {"default", {"[!-/:-@\\[-_{-~]+", kGpt2, "[0-9]+", "[0-9][0-9][0-9]"}},
    {"falcon", {"[!-/:-@\\[-`{-~]+", kGpt2, "[0-9][0-9][0-9]"}},
    {"bloom", {" ?[^(\\s|.,!?)]+"}},
    {"viking", {" ?[^(\\s|.,!?)]+", "[0-9]"}},
    {"superbpe", {"[0-9]+", "(?=([0-9]{3})+(?![0-9]))"}},
    {"deepseek-coder", {"[\\r\\n]", "\\s?[A-Za-z]+", "\\s?[!-#%-*,-/:;?@\\[-\\]_{}]+", "[0-9]"}},
    {"deepseek-llm", {"[\\r\\n]", "\\s?[A-Za-z]+", "\\s?[!-/:-~]+", "\\s+$", "[0-9]+"}},
    {"deepseek-v3",
     {"[0-9]{1,3}",
      "[!-/:-@\\[-`{-~][A-Za-z]+|[^\\r\\n!-/:-@\\[-`{-~A-Za-z]?[A-Za-z]+| ?[!-/:-@\\[-`{-~]+[\\r\\n]*" +
          kSpaces}},
};

std::string random_ascii(std::mt19937& random) {
  constexpr std::string_view kLikely = "  \n\r\t''sStTreVElLmMdDaAbB019.,!?/()_~$|`-";
  std::string text;
  for (std::size_t n = random() % 24; n > 0; --n) {
    const char c = random() % 8 == 0 ? static_cast<char>(random() % 128) : kLikely[random() % kLikely.size()];
    text.append(random() % 6 == 0 ? 1 + random() % 4 : 1, c);
  }
  return text;
}

}  // namespace

TEST_CASE("words of ASCII are those of the published regular expressions", "[tokenizer][words]") {
  std::mt19937 random(4);
  std::vector<std::string> texts;
  for (int i = 0; i < 400; ++i) texts.push_back(random_ascii(random));
  for (const auto& [name, stages] : kPublished) {
    for (const std::string& text : texts) {
      INFO(name << ": " << text);
      REQUIRE(words(name, text) == words_by_regex(stages, text));
    }
  }
}

TEST_CASE("words beyond ASCII", "[tokenizer][words]") {
  CHECK(words("gpt-2", "Straße 東京 ٣٤½ — naïve") == Words{"Straße", " 東京", " ٣٤½", " —", " naïve"});
  CHECK(words("gpt-2", "a\u00A0\u3000b") == Words{"a", "\u00A0", "\u3000", "b"});
  CHECK(words("llama-bpe", "a\u00A0\u3000b") == Words{"a", "\u00A0", "\u3000b"});
  CHECK(words("llama-bpe", "१२३४ हिन्दी") == Words{"१२३", "४", " ह", "िन", "्द", "ी"});
  CHECK(words("qwen35", "१२ हिन्दी") == Words{"१", "२", " हिन्दी"});
  CHECK(words("llama-bpe", "😀😀\n\nx\u2028") == Words{"😀😀\n\n", "x", "\u2028"});
}

TEST_CASE("o200k tells capitals apart in ASCII, and takes other letters for both", "[tokenizer][words]") {
  CHECK(words("gpt-4o", "HTTPServer camelCase's") == Words{"HTTPServer", " camel", "Case's"});
  CHECK(words("gpt-4o", "ÉCOLE école ÉaB") == Words{"É", "COLE", " école", " Éa", "B"});
  CHECK(words("gpt-4o", "AÉB") == Words{"AÉ", "B"});
}

TEST_CASE("scripts that some families cut apart", "[tokenizer][words]") {
  CHECK(words("deepseek-v3", "abc中文かなdef") == Words{"abc", "中文かな", "def"});
  CHECK(words("kimi-k2", "中文かな def 漢") == Words{"中文", "かな", " def", " ", "漢"});
  CHECK(words("youtu", "한국어、中文！ㄅㄆ") == Words{"한국어", "、", "中文", "！", "ㄅㄆ"});
  CHECK(words("afmoe", "ภาษาไทย 12345 x") == Words{"ภาษา", "ไ", "ทย", " ", "12", "345", " x"});
  CHECK(words("tiny_aya", "1234567 12345") == Words{"1", "234", "567", " ", "12", "345"});
}

TEST_CASE("bytes that are not UTF-8 become one U+FFFD each", "[tokenizer][words]") {
  CHECK(words("gpt-2", "a\xC3 \xF0\x9F\x98") == Words{"a", "\uFFFD", " \uFFFD\uFFFD\uFFFD"});
  CHECK(words("gpt-2", "\xED\xA0\x80") == Words{"\xED\xA0\x80"});
}

TEST_CASE("words under every name join to the text", "[tokenizer][words]") {
  std::mt19937 random(5);
  const std::u32string alphabet = U"aZé中かภ한ㄅ1٣½ \u3000\n'.、😀\u0301\u200B~(";
  for (const char* name :
       {"default",      "falcon",         "gpt-2",       "smollm",   "llama-bpe", "qwen2",  "qwen35",
        "seed-coder",   "gpt-4o",         "tekken",      "tiny_aya", "bloom",     "viking", "superbpe",
        "deepseek-llm", "deepseek-coder", "deepseek-v3", "kimi-k2",  "youtu",     "afmoe"}) {
    for (int round = 0; round < 50; ++round) {
      std::string text, joined;
      for (std::size_t n = random() % 40; n > 0; --n)
        utf8::append(text, alphabet[random() % alphabet.size()]);
      for (const std::string& word : words(name, text)) {
        CHECK_FALSE(word.empty());
        joined += word;
      }
      INFO(name << ": " << text);
      REQUIRE(joined == text);
    }
  }
}

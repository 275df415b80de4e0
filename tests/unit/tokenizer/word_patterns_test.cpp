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

// The same by std::regex, which only knows ASCII; text between matches is also a word.
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
    {"ufakzeka", {kLead + "[A-Za-z]+|[0-9]" + kMarks + kSpaces}},
    {"minicpm5", {"[0-9]{1,3}", kContraction + "|" + kLead + "[A-Za-z]+|[0-9]{1,3}" + kMarks + kSpaces}},
    {"laguna", {"[^\\n]+|\\n+", kContraction + "|" + kLead + "[A-Za-z]+|[0-9]" + kMarks + kSpaces}},
    {"jais-2",
     {kContraction + "|" + kLead + "[A-Za-z]+|[0-9]{1,3}" + kMarks +
      "|\\s*[\\r\\n]+|\\s{16}(?!\\S)|\\s{8}(?!\\S)|\\s{4}(?!\\S)|\\s{1,2}(?!\\S)|\\s"}},
    {"k2-horizon", {kContraction + "|" + kLead + "[A-Za-z]+|[0-9]{1,3}" + kMarks + kSpaces}},
    {"exaone-moe",
     {kContraction + "|" + kLead + "(?:[A-Za-z](?: [A-Za-z])*)+|[0-9]| ?[^\\sA-Za-z0-9]+[\\r\\n/]?" +
      "|\\s*[\\r\\n]|\\s+(?!\\S)|\\s+"}},
    {"granite-embed-multi-97m", {o200k(kContraction, "[0-9]{1,3}")}},
    {"spark2_5",
     {"[0-9]",
      "[!-/:-@\\[-`{-~][A-Za-z]+|[^\\r\\n!-/:-@\\[-`{-~A-Za-z]?[A-Za-z]+| ?[!-/:-@\\[-`{-~]+|[\\r\\n]|"
      "\\s+(?!\\S)|\\s+"}},
    {"chameleon", {"<sentinel:[0-9]+>", "IMGIMG[A-I]{1,4}Z", "[\\t\\n]|    |  ", "[0-9]", "[!-/:-@\\[-`{-~]", kGpt2}},
    {"deepseek-coder", {"[\\r\\n]", "\\s?[A-Za-z]+", "\\s?[!-#%-*,-/:;?@\\[-\\]_{}]+", "[0-9]"}},
    {"deepseek-llm", {"[\\r\\n]", "\\s?[A-Za-z]+", "\\s?[!-/:-~]+", "\\s+$", "[0-9]+"}},
    {"deepseek-v3",
     {"[0-9]{1,3}", "[!-/:-@\\[-`{-~][A-Za-z]+|[^\\r\\n!-/:-@\\[-`{-~A-Za-z]?[A-Za-z]+| ?[!-/:-@\\[-`{-~]+[\\r\\n]*" + kSpaces}},
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

TEST_CASE("o200k distinguishes capitals in ASCII only", "[tokenizer][words]") {
  CHECK(words("gpt-4o", "HTTPServer camelCase's") == Words{"HTTPServer", " camel", "Case's"});
  CHECK(words("gpt-4o", "ÉCOLE école ÉaB") == Words{"É", "COLE", " école", " Éa", "B"});
  CHECK(words("gpt-4o", "AÉB") == Words{"AÉ", "B"});
}

TEST_CASE("marks and joiners belong to words where a family says so", "[tokenizer][words]") {
  CHECK(words("k2-horizon", "क्\u200Dष x") == Words{"क्\u200Dष", " x"});
  CHECK(words("k2-horizon", "\u200D 'S") == Words{"\u200D", " '", "S"});
  CHECK(words("granite-embed-multi-97m", "हिन्दी Éa\u0301B's") == Words{"हिन्दी", " Éa\u0301", "B's"});
  CHECK(words("granite-embed-multi-97m", "\u0301ABC") == Words{"\u0301", "ABC"});
  CHECK(words("exaone-moe", " एक दो तीन  x.\n\n") == Words{" एक दो तीन", " ", " x", ".\n", "\n"});
  CHECK(words("exaone-moe", "a 1 b c1") == Words{"a", " ", "1", " b c", "1"});
}

TEST_CASE("thousands are groups of ASCII digits alone", "[tokenizer][words]") {
  CHECK(words("superbpe", "1234567") == Words{"1", "234", "567"});
  CHECK(words("superbpe", "442²²") == Words{"442²²"});
  CHECK(words("superbpe", "٣1234567²12²123456x") == Words{"٣1", "234", "567²12²", "123", "456", "x"});
}

TEST_CASE("Chameleon's pictures are words", "[tokenizer][words]") {
  CHECK(words("chameleon", "a<sentinel:12>b") == Words{"a", "<", "sentinel", ":", "1", "2", ">", "b"});
  CHECK(words("chameleon", "IMGIMGABCDZIMGIMGABCDEZ IMGIMGZ") == Words{"IMGIMGABCDZ", "IMGIMGABCDEZ", " IMGIMGZ"});
  CHECK(words("chameleon", "a     b\t€ c") == Words{"a", "    ", " b", "\t", "€", " c"});
}

TEST_CASE("runs of spaces are cut into powers of two", "[tokenizer][words]") {
  const auto lengths = [](const std::string& text) {
    std::vector<std::size_t> all;
    for (const std::string& word : words("jais-2", text)) all.push_back(word.size());
    return all;
  };
  CHECK(lengths(std::string(1100, ' ')) == std::vector<std::size_t>{512, 512, 64, 8, 4});
  CHECK(lengths(std::string(512, ' ') + "x") == std::vector<std::size_t>{256, 128, 64, 32, 16, 8, 4, 2, 1, 2});
  CHECK(lengths(std::string(20, ' ') + "\n" + std::string(3, ' ')) == std::vector<std::size_t>{21, 2, 1});
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
  for (const char* name : {"default",        "falcon",      "gpt-2",
                           "smollm",         "llama-bpe",   "qwen2",
                           "qwen35",         "seed-coder",  "gpt-4o",
                           "tekken",         "tiny_aya",    "bloom",
                           "viking",         "superbpe",    "deepseek-llm",
                           "deepseek-coder", "deepseek-v3", "kimi-k2",
                           "youtu",          "afmoe",       "ufakzeka",
                           "minicpm5",       "laguna",      "jais-2",
                           "k2-horizon",     "exaone-moe",  "granite-embed-multi-97m",
                           "spark2_5",       "chameleon"}) {
    for (int round = 0; round < 50; ++round) {
      std::string text, joined;
      for (std::size_t n = random() % 40; n > 0; --n) utf8::append(text, alphabet[random() % alphabet.size()]);
      for (const std::string& word : words(name, text)) {
        CHECK_FALSE(word.empty());
        joined += word;
      }
      INFO(name << ": " << text);
      REQUIRE(joined == text);
    }
  }
}

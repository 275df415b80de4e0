#include "tokenizer/special_tokens.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "unit/tokenizer/vocabularies.hpp"

using namespace heed;
using tokenizer::SpecialTokens;
using tokenizer::TokenId;
using tokenizer::Vocabulary;

namespace {

// A stretch of text, or a token where the id is not negative.
using Stretch = std::pair<std::string, TokenId>;

Vocabulary vocabulary_of(const std::vector<std::string>& texts) {
  test::VocabularyBuilder builder;
  for (const std::string& text : texts) builder.add(text);
  return Vocabulary(builder.metadata("llama"), {});
}

std::vector<Stretch> cut(const std::vector<std::string>& tokens, const std::string& text) {
  const Vocabulary vocabulary = vocabulary_of(tokens);
  std::vector<TokenId> ids(tokens.size());
  std::iota(ids.begin(), ids.end(), 0);
  std::vector<Stretch> stretches;
  std::size_t done = 0;
  for (const auto& found : SpecialTokens(vocabulary, ids).find(text)) {
    if (found.begin > done) stretches.emplace_back(text.substr(done, found.begin - done), -1);
    stretches.emplace_back(text.substr(found.begin, found.end - found.begin), found.id);
    done = found.end;
  }
  if (done < text.size()) stretches.emplace_back(text.substr(done), -1);
  return stretches;
}

// The definition: for each token, longest first, cut what is left of the text at every occurrence.
std::vector<Stretch> cut_naively(const std::vector<std::string>& tokens, const std::string& text) {
  std::vector<TokenId> ids(tokens.size());
  std::iota(ids.begin(), ids.end(), 0);
  const auto size = [&](TokenId id) { return tokens[static_cast<std::size_t>(id)].size(); };
  std::stable_sort(ids.begin(), ids.end(), [&](TokenId a, TokenId b) { return size(a) > size(b); });
  std::vector<Stretch> stretches = {{text, -1}};
  for (TokenId id : ids) {
    const std::string& token = tokens[static_cast<std::size_t>(id)];
    std::vector<Stretch> next;
    for (auto& [stretch, known] : stretches) {
      std::size_t done = 0;
      for (auto at = known < 0 ? stretch.find(token) : stretch.npos; at != stretch.npos;
           at = stretch.find(token, done)) {
        if (at > done) next.emplace_back(stretch.substr(done, at - done), -1);
        next.emplace_back(token, id);
        done = at + token.size();
      }
      if (done < stretch.size()) next.emplace_back(stretch.substr(done), known);
    }
    stretches = std::move(next);
  }
  return stretches;
}

}  // namespace

TEST_CASE("special tokens cut a text where they stand", "[tokenizer]") {
  CHECK(cut({"<s>", "</s>"}, "a<s>b</s></s>") ==
        std::vector<Stretch>{{"a", -1}, {"<s>", 0}, {"b", -1}, {"</s>", 1}, {"</s>", 1}});
  CHECK(cut({"<s>"}, "<s") == std::vector<Stretch>{{"<s", -1}});
  CHECK(SpecialTokens(vocabulary_of({"x"}), {}).find("x").empty());
}

TEST_CASE("the longest special token wins, even from further right", "[tokenizer]") {
  CHECK(cut({"\n", "\n\n", "\n\n\n"}, "\n\n\n\n\n") == std::vector<Stretch>{{"\n\n\n", 2}, {"\n\n", 1}});
  CHECK(cut({"ab", "bcd"}, "abcd") == std::vector<Stretch>{{"a", -1}, {"bcd", 1}});
  CHECK(cut({"a", "ab", "bcd"}, "abcd") == std::vector<Stretch>{{"a", 0}, {"bcd", 2}});
}

TEST_CASE("special tokens are found as if one kind after the other were cut out", "[tokenizer]") {
  std::mt19937 random(2);
  for (int round = 0; round < 500; ++round) {
    const auto word = [&](std::size_t longest) {
      std::string text;
      for (std::size_t n = 1 + random() % longest; n > 0; --n) text.push_back("ab<"[random() % 3]);
      return text;
    };
    std::vector<std::string> tokens;
    for (std::size_t n = 1 + random() % 5; n > 0; --n) {
      std::string token = word(5);
      if (std::find(tokens.begin(), tokens.end(), token) == tokens.end()) tokens.push_back(std::move(token));
    }
    const std::string text = word(40);
    REQUIRE(cut(tokens, text) == cut_naively(tokens, text));
  }
}

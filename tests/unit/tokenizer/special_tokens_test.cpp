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
using Cut = std::pair<std::string, TokenId>;

Vocabulary vocabulary_of(const std::vector<std::string>& texts) {
  test::VocabularyBuilder builder;
  for (const std::string& text : texts) builder.add(text);
  return Vocabulary(builder.metadata("llama"), {});
}

std::vector<TokenId> ids_of(std::size_t first, std::size_t last) {
  std::vector<TokenId> ids(last - first);
  std::iota(ids.begin(), ids.end(), static_cast<TokenId>(first));
  return ids;
}

// The first tokens are found anywhere; the tokens from `first_control` on only where `control` allows them.
std::vector<Cut> cut(const std::vector<std::string>& tokens, const std::string& text, std::size_t first_control,
                     const std::vector<tokenizer::Stretch>& control) {
  const Vocabulary vocabulary = vocabulary_of(tokens);
  const SpecialTokens special(vocabulary, ids_of(0, first_control), ids_of(first_control, tokens.size()));
  std::vector<Cut> stretches;
  std::size_t done = 0;
  for (const auto& found : special.find(text, control)) {
    if (found.begin > done) stretches.emplace_back(text.substr(done, found.begin - done), -1);
    stretches.emplace_back(text.substr(found.begin, found.end - found.begin), found.id);
    done = found.end;
  }
  if (done < text.size()) stretches.emplace_back(text.substr(done), -1);
  return stretches;
}

std::vector<Cut> cut(const std::vector<std::string>& tokens, const std::string& text) {
  return cut(tokens, text, tokens.size(), {});
}

// The definition: for each token, longest first, cut the remaining texts at every occurrence.
std::vector<Cut> cut_naively(const std::vector<std::string>& tokens, const std::string& text, std::size_t first_control,
                             const std::vector<tokenizer::Stretch>& control) {
  const auto allowed = [&](std::size_t begin, std::size_t end) {
    return std::any_of(control.begin(), control.end(), [&](const auto& each) { return each.begin <= begin && end <= each.end; });
  };
  std::vector<TokenId> ids = ids_of(0, tokens.size());
  const auto size = [&](TokenId id) { return tokens[static_cast<std::size_t>(id)].size(); };
  std::stable_sort(ids.begin(), ids.end(), [&](TokenId a, TokenId b) { return size(a) > size(b); });
  std::vector<Cut> stretches = {{text, -1}};
  for (TokenId id : ids) {
    const std::string& token = tokens[static_cast<std::size_t>(id)];
    const bool anywhere = static_cast<std::size_t>(id) < first_control;
    std::vector<Cut> next;
    std::size_t before = 0;  // bytes of the text
    for (auto& [stretch, known] : stretches) {
      std::size_t done = 0;
      for (auto at = known < 0 ? stretch.find(token) : stretch.npos; at != stretch.npos;) {
        if (!anywhere && !allowed(before + at, before + at + token.size())) {
          at = stretch.find(token, at + 1);
          continue;
        }
        if (at > done) next.emplace_back(stretch.substr(done, at - done), -1);
        next.emplace_back(token, id);
        done = at + token.size();
        at = stretch.find(token, done);
      }
      if (done < stretch.size()) next.emplace_back(stretch.substr(done), known);
      before += stretch.size();
    }
    stretches = std::move(next);
  }
  return stretches;
}

}  // namespace

TEST_CASE("special tokens cut a text where they stand", "[tokenizer]") {
  CHECK(cut({"<s>", "</s>"}, "a<s>b</s></s>") == std::vector<Cut>{{"a", -1}, {"<s>", 0}, {"b", -1}, {"</s>", 1}, {"</s>", 1}});
  CHECK(cut({"<s>"}, "<s") == std::vector<Cut>{{"<s", -1}});
  CHECK(SpecialTokens(vocabulary_of({"x"}), {}, {}).find("x").empty());
}

TEST_CASE("the longest special token wins, even from further right", "[tokenizer]") {
  CHECK(cut({"\n", "\n\n", "\n\n\n"}, "\n\n\n\n\n") == std::vector<Cut>{{"\n\n\n", 2}, {"\n\n", 1}});
  CHECK(cut({"ab", "bcd"}, "abcd") == std::vector<Cut>{{"a", -1}, {"bcd", 1}});
  CHECK(cut({"a", "ab", "bcd"}, "abcd") == std::vector<Cut>{{"a", 0}, {"bcd", 2}});
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
    const std::size_t first_control = random() % (tokens.size() + 1);
    std::vector<tokenizer::Stretch> control;
    for (std::size_t begin = random() % 4; begin < text.size();) {
      const std::size_t end = std::min(text.size(), begin + 1 + random() % 12);
      control.push_back({begin, end});
      begin = end + 1 + random() % 4;
    }
    REQUIRE(cut(tokens, text, first_control, control) == cut_naively(tokens, text, first_control, control));
  }
}

TEST_CASE("control tokens are found only where they are allowed, and whole", "[tokenizer]") {
  const std::vector<std::string> tokens = {"<t>", "<|a|>", "<|a|><|b|>"};
  CHECK(cut(tokens, "<|a|><t><|a|>", 1, {{8, 13}}) == std::vector<Cut>{{"<|a|>", -1}, {"<t>", 0}, {"<|a|>", 1}});
  CHECK(cut(tokens, "<|a|><|b|>", 1, {{0, 7}}) == std::vector<Cut>{{"<|a|>", 1}, {"<|b|>", -1}});
  CHECK(cut(tokens, "<|a|>", 1, {{1, 5}}) == std::vector<Cut>{{"<|a|>", -1}});
}

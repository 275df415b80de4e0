#include "tokenizer/trie.hpp"

#include <catch2/catch_test_macros.hpp>
#include <numeric>
#include <random>
#include <set>
#include <string>

#include "unit/tokenizer/vocabularies.hpp"

using namespace heed;
using test::Ids;
using tokenizer::Trie;
using tokenizer::Vocabulary;

namespace {

std::string random_text(std::mt19937& random, std::size_t longest) {
  std::string text;
  for (std::size_t n = 1 + random() % longest; n > 0; --n) text.push_back("ab\xC3\xFF"[random() % 4]);
  return text;
}

}  // namespace

TEST_CASE("a trie finds the longest token that a text begins with", "[tokenizer]") {
  std::mt19937 random(1);
  test::VocabularyBuilder builder;
  std::set<std::string> known;
  for (int i = 0; i < 60; ++i) {
    const std::string text = random_text(random, 6);
    if (known.insert(text).second) builder.add(text);
  }
  for (char c = ' '; c < 'a'; ++c) builder.add("b" + std::string(1, c));  // more siblings than are looked at in turn
  const Vocabulary vocabulary(builder.metadata("llama"), {});
  Ids odd;
  for (test::TokenId id = 1; vocabulary.contains(id); id += 2) odd.push_back(id);
  const Trie trie(vocabulary, odd);

  for (int round = 0; round < 2000; ++round) {
    const std::string text = (round % 3 == 0 ? "b" + std::string(1, static_cast<char>(' ' + random() % 80)) : "") +
                             random_text(random, 8);
    Trie::Match longest;
    for (test::TokenId id : odd) {
      const std::string_view token = vocabulary.text(id);
      if (text.starts_with(token) && token.size() > longest.length) longest = {token.size(), id};
    }
    CHECK(trie.longest_prefix(text).id == longest.id);
    CHECK(trie.longest_prefix(text).length == longest.length);
  }
}

TEST_CASE("a trie of nothing finds nothing", "[tokenizer]") {
  test::VocabularyBuilder builder;
  builder.add("a");
  const Trie trie(Vocabulary(builder.metadata("llama"), {}), {});
  CHECK(trie.longest_prefix("a").length == 0);
  CHECK(trie.longest_prefix("").length == 0);
}

#include "tokenizer/word_cache.hpp"

#include <catch2/catch_test_macros.hpp>
#include <random>
#include <string>

#include "unit/tokenizer/vocabularies.hpp"

using namespace heed;
using test::Ids;
using tokenizer::TokenId;

TEST_CASE("a remembered word has the tokens that it had", "[tokenizer]") {
  std::mt19937 random(1);
  for (std::size_t bytes : {0, 100, 1 << 20}) {
    Ids out, expected;
    tokenizer::WordCache cache(bytes, out);
    int encoded = 0;
    for (int i = 0; i < 3000; ++i) {
      const std::string word = std::to_string(random() % 200);
      const auto encode = [&](Ids& ids) {
        for (char c : word.substr(1)) ids.push_back(c);  // no ids for a single digit
      };
      encode(expected);
      if (cache.append(word)) continue;
      const std::size_t first = out.size();
      encode(out);
      cache.store(word, first);
      ++encoded;
    }
    CHECK(out == expected);
    if (bytes > 1 << 16) CHECK(encoded < 1000);  // few fall into one slot
  }
}

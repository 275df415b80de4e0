#include "tokenizer/tidy_spaces.hpp"

#include <catch2/catch_test_macros.hpp>

using heed::tokenizer::tidy_spaces;

TEST_CASE("tidying closes up marks", "[tokenizer]") {
  CHECK(tidy_spaces("Hello , world ! How ? So .") == "Hello, world! How? So.");
  CHECK(tidy_spaces("a  . b ; c : d") == "a . b ; c : d");
  CHECK(tidy_spaces(" .") == ".");
  CHECK(tidy_spaces(" ") == " ");
  CHECK(tidy_spaces("").empty());
}

TEST_CASE("tidying closes up lone apostrophes", "[tokenizer]") {
  CHECK(tidy_spaces("rock ' n ' roll") == "rock'n'roll");
  CHECK(tidy_spaces("a ' ' b") == "a'' b");
  CHECK(tidy_spaces("a ' ") == "a'");
  CHECK(tidy_spaces("a '") == "a '");
}

TEST_CASE("tidying closes up contractions", "[tokenizer]") {
  CHECK(tidy_spaces("it 's I 'm we 're they 've") == "it's I'm we're they've");
  CHECK(tidy_spaces("can 't I 'd we 'll 'r 'v") == "can 't I 'd we 'll 'r 'v");
}

// Whisper's vocabulary: words, pieces, and the places of special tokens.
#include "tokenizer/whisper.hpp"

#include <catch2/catch_test_macros.hpp>

#include "support/errors.hpp"

using namespace heed;
using tokenizer::Whisper;
using tokenizer::WhisperTokens;

namespace {

Whisper make(std::vector<std::string> words, std::size_t size = 51865) {
  words.resize(size);
  formats::Metadata metadata;
  metadata.set("tokenizer.ggml.tokens", std::move(words));
  return Whisper(metadata);
}

std::vector<std::string> pieces(const Whisper& whisper, std::string_view text) {
  std::vector<std::string> pieces;
  for (const auto id : whisper.encode(text, {})) pieces.push_back(whisper.token_bytes(id, false));
  return pieces;
}

}  // namespace

TEST_CASE("special tokens of Whisper follow from the size of its vocabulary", "[tokenizer][whisper]") {
  const WhisperTokens english(51864), many(51865), third(51866);
  CHECK(english.end == 50256);
  CHECK(english.start == 50257);
  CHECK(english.translate == 50357);
  CHECK(english.first_time == 50363);
  CHECK_FALSE(english.multilingual());
  CHECK(many.end == 50257);
  CHECK(many.languages == 99);
  CHECK(many.translate == 50358);
  CHECK(many.no_speech == 50362);
  CHECK(many.first_time == 50364);
  CHECK(third.languages == 100);
  CHECK(third.translate == 50359);
  CHECK(third.first_time == 50365);
  CHECK(many.language("en") == 50259);
  CHECK(many.language("de") == 50261);
  CHECK(many.language("su") == 50357);
  CHECK_FALSE(many.language("yue"));
  CHECK_FALSE(many.language(""));
  CHECK_FALSE(many.language("xx"));
  CHECK(third.language("yue") == 50358);
}

TEST_CASE("special tokens of Whisper have names, and no text", "[tokenizer][whisper]") {
  const Whisper whisper = make({"a"});
  CHECK(whisper.token_bytes(50257, true) == "<|endoftext|>");
  CHECK(whisper.token_bytes(50261, true) == "<|de|>");
  CHECK(whisper.token_bytes(50359, true) == "<|transcribe|>");
  CHECK(whisper.token_bytes(50364, true) == "<|0.00|>");
  CHECK(whisper.token_bytes(50364 + 61, true) == "<|1.22|>");
  CHECK(whisper.token_bytes(50364 + 1500, true) == "<|30.00|>");
  CHECK(whisper.token_bytes(50364, false).empty());
  test::check_throws(ErrorCode::invalid_argument, "51865", [&] { whisper.token_bytes(51865, false); });
}

TEST_CASE("texts are cut into words, and words into the longest pieces", "[tokenizer][whisper]") {
  const Whisper whisper = make({"d", "o", "n", "do", "on", "'t", "'", "t", " ", "  ", " do", " 1", "12", "3", "!", " !?", "?",
                                "\n"});
  using Pieces = std::vector<std::string>;
  CHECK(pieces(whisper, "don't") == Pieces{"do", "n", "'t"});
  CHECK(pieces(whisper, " don") == Pieces{" do", "n"});
  CHECK(pieces(whisper, "   don") == Pieces{"  ", " do", "n"});
  CHECK(pieces(whisper, "do  ") == Pieces{"do", "  "});
  CHECK(pieces(whisper, " 123") == Pieces{" 1", "3"});  // no piece has a 2 alone
  CHECK(pieces(whisper, "12 !?!") == Pieces{"12", " !?", "!"});
  CHECK(pieces(whisper, "\ndo") == Pieces{"\n", "do"});
  CHECK(pieces(whisper, "\u00e9").empty());
  CHECK(pieces(whisper, "").empty());
}

TEST_CASE("of equal words, the last is found", "[tokenizer][whisper]") {
  const Whisper whisper = make({"a", "b", "a"});
  CHECK(whisper.find("a") == 2);
  CHECK_FALSE(whisper.find("c"));
}

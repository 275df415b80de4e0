// Texts as vectors: decoders that embed, with all options, and scores.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "support/errors.hpp"
#include "support/load.hpp"
#include "support/reader.hpp"
#include "support/tokens.hpp"
#include "unit/runtime/family_model.hpp"

using namespace heed;
using namespace heed::runtime;
using namespace heed::test;
using Integer = std::int64_t;

namespace {

const std::vector<TokenId> kEmbedded = {1, 30, 259, 300, 7, 7, 120, 64, 65, 66, 67};

std::unique_ptr<Model> model_of(const std::string& architecture, const Values& more, std::size_t context = 64) {
  return load_bytes(family_model(architecture, context, more));
}

}  // namespace

TEST_CASE("decoders of all kinds embed where their files say how", "[runtime][embedding]") {
  for (const std::string architecture : {"llama", "gemma3", "deepseek2", "lfm2", "mamba2", "qwen35", "gpt-oss"}) {
    INFO(architecture);
    const auto model = model_of(architecture, {{"pooling_type", Integer{3}}}, 600);
    CHECK(model->info().embeds);
    CHECK_FALSE(model->info().generates);
    test::Reader reader(*model);
    const std::vector<TokenId> text = some_tokens(380);  // more than a decoder reads in a pass, and than a chunk of keys
    reader.encode(text);
    const std::vector<float> whole = reader.encoder().embedding();
    REQUIRE(whole.size() == model->info().width);
    CHECK(std::ranges::all_of(whole, [](float x) { return std::isfinite(x); }));

    // alone and beside another text; later tokens are not seen
    const std::span<const TokenId> tokens(text);
    const EncoderRun::Text texts[] = {tokens.first(200), tokens};
    const std::vector<float> rows = reader.encoder().embedding(0, {.pooling = Pooling::none});
    reader.encoder()(texts);
    CHECK(reader.encoder().embedding(1) == whole);
    const std::vector<float> first = reader.encoder().embedding(0);
    CHECK(std::ranges::equal(first, std::span(rows).subspan(199 * whole.size(), whole.size())));
  }
}

TEST_CASE("texts that are embedded together have a state each, which counts", "[runtime][embedding]") {
  const auto memory = [](std::size_t parallel) {
    LoadOptions options;
    options.parallel = parallel;
    return load_bytes(family_model("mamba2", 64, {{"pooling_type", Integer{3}}}), options)->info().memory_bytes;
  };
  const std::uint64_t state = load_bytes(family_model("mamba2"))->info().context_bytes;  // a decoder that has nothing else
  REQUIRE(state > 4096);
  CHECK(memory(5) - memory(1) >= 4 * state);
}

TEST_CASE("a vector is cut, and then scaled", "[runtime][embedding]") {
  for (const std::string architecture : {"bert", "gemma-embedding"}) {
    const auto model = model_of(architecture, {});
    test::Reader reader(*model);
    reader.encode(kEmbedded);
    const auto embed = [&](const EmbeddingForm& form) { return reader.encoder().embedding(0, form); };
    const std::vector<float> whole = embed({});
    CHECK(embed({.dimensions = whole.size()}) == whole);
    for (const std::size_t count : {std::size_t{1}, std::size_t{5}, whole.size() - 1}) {
      const std::vector<float> cut = embed({.dimensions = count});
      CHECK(std::ranges::equal(cut, std::span(whole).first(count)));
      double squares = 0;
      for (const float x : embed({.dimensions = count, .normalized = true})) squares += double{x} * x;
      CHECK(std::abs(squares - 1) < 1e-6);
    }
    const std::vector<float> rows = embed({.pooling = Pooling::none}), cut = embed({.pooling = Pooling::none, .dimensions = 3});
    REQUIRE(cut.size() == 3 * kEmbedded.size());
    for (std::size_t t = 0; t < kEmbedded.size(); ++t)
      CHECK(std::ranges::equal(std::span(cut).subspan(3 * t, 3), std::span(rows).subspan(t * whole.size(), 3)));
    for (const std::size_t count : {std::size_t{0}, whole.size() + 1, std::size_t{0xffffffff}})
      check_throws(ErrorCode::invalid_argument, "dimensions: must be from 1 to the model's 32",
                   [&] { embed({.dimensions = count}); });
  }
}

TEST_CASE("a decoder that says yes or no reranks", "[runtime][embedding]") {
  const formats::Metadata::Strings labels = {"yes", "no"};
  const auto model = model_of("qwen3", {{"pooling_type", Integer{4}}, {"classifier.output_labels", labels}});
  test::Reader reader(*model);
  reader.encode(kEmbedded);
  const std::vector<float> scores = reader.encoder().scores();
  REQUIRE(scores.size() == 2);
  CHECK(scores[0] > 0);
  CHECK(std::abs(scores[0] + scores[1] - 1) < 1e-6f);
  const std::vector<float> last = reader.encoder().embedding(0, {.pooling = Pooling::last});
  CHECK(reader.encoder().embedding() == last);

  const auto plain = model_of("qwen3", {{"pooling_type", Integer{3}}});
  test::Reader other(*plain);
  other.encode(kEmbedded);
  check_throws(ErrorCode::unsupported, "qwen3: is not a reranker", [&] { other.encoder().scores(); });
}

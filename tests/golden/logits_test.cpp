// Logits and greedy continuations against llama.cpp's, and against the same models evaluated in float64.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <numeric>

#include "golden/models.hpp"
#include "support/reader.hpp"

using namespace heed;

namespace {

struct Distance {
  double relative = 0, largest = 0;  // RMS over the reference's standard deviation; of one logit
};

Distance distance(const std::vector<float>& got, const std::vector<float>& reference) {
  const double n = static_cast<double>(reference.size());
  const double mean = std::accumulate(reference.begin(), reference.end(), 0.0) / n;
  double squares = 0, variance = 0, largest = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    const double difference = static_cast<double>(got[i]) - reference[i];
    squares += difference * difference;
    variance += (reference[i] - mean) * (reference[i] - mean);
    largest = std::max(largest, std::abs(difference));
  }
  return {std::sqrt(squares / variance), largest};
}

std::vector<runtime::TokenId> greedy(const runtime::Model& model, const std::vector<runtime::TokenId>& prompt,
                                     std::size_t count) {
  test::Reader reader(model);
  std::vector<float> logits(model.info().vocabulary);
  reader.forward(prompt, logits);
  std::vector<runtime::TokenId> tokens;
  while (tokens.size() < count) {
    tokens.push_back(static_cast<runtime::TokenId>(std::ranges::max_element(logits) - logits.begin()));
    reader.forward(std::span(tokens).last(1), logits);
  }
  return tokens;
}

/// Of all tokens, where the sequence went back to the middle once it had read them, or a further text is in each pass.
std::vector<float> after_a_cut(const runtime::Model& model, std::span<const runtime::TokenId> tokens) {
  const std::size_t vocabulary = model.info().vocabulary, middle = tokens.size() / 2;
  test::Reader reader(model);
  std::vector<float> logits(tokens.size() * vocabulary);
  reader.forward(tokens, logits);
  reader.truncate(middle);
  const std::size_t kept = reader.tokens().size();  // less than the middle where state cannot go back to it
  reader.forward(tokens.subspan(kept), std::span(logits).subspan(kept * vocabulary));
  return logits;
}

std::vector<float> beside_another(const runtime::Model& model, std::span<const runtime::TokenId> tokens) {
  const std::size_t vocabulary = model.info().vocabulary;
  runtime::Workspace workspace(model);
  runtime::Sequence one(workspace), other(workspace);
  const std::vector<runtime::TokenId> reversed(tokens.rbegin(), tokens.rend());
  std::vector<float> logits;
  for (std::size_t at = 0, n = 0; at < tokens.size(); at += n) {
    n = std::min<std::size_t>(9, tokens.size() - at);
    std::vector<float> rows(n * vocabulary);
    const runtime::Reading readings[] = {{&other, std::span(reversed).subspan(at, n)}, {&one, tokens.subspan(at, n), n}};
    runtime::forward(workspace, readings, rows);
    logits.insert(logits.end(), rows.begin(), rows.end());
  }
  return logits;
}

}  // namespace

TEST_CASE("logits are those of llama.cpp, or nearer to the exact ones than its own", "[golden][shared]") {
  for (const golden::Case& model : golden::cases()) {
    DYNAMIC_SECTION(model.name) {
      const auto reference = golden::reference(model);
      const auto tokens = reference["tokens"].get<std::vector<runtime::TokenId>>();
      const auto loaded = golden::load(model);
      const auto logits = test::model_logits(*loaded, tokens);

      const auto figures = golden::figures(model);
      const bool rounds = figures["exact_file"].get<bool>();
      const auto expected = golden::reference_floats(model, rounds ? ".exact.f32" : ".logits.f32");
      REQUIRE(logits.size() == expected.size());
      const Distance far = distance(logits, expected);
      const double bound = rounds ? 1.2 * figures["float64"]["rel_rms"].get<double>() : 2e-5;
      INFO("relative " << far.relative << " of " << bound << ", largest " << far.largest);
      CHECK(far.relative < bound);

      for (const std::size_t batch : {7u, 1u}) {
        const bool same = test::model_logits(*loaded, tokens, batch) == logits;
        INFO("batches of " << batch);
        CHECK(same);
      }

      const bool same_after_a_cut = after_a_cut(*loaded, tokens) == logits;
      CHECK(same_after_a_cut);
      const bool same_beside_another = beside_another(*loaded, tokens) == logits;
      CHECK(same_beside_another);

      // the greedy continuation, up to the first step that is as close as the error
      const std::string suffix = rounds ? "_exact" : "";
      const auto ids = reference["greedy" + suffix].get<std::vector<runtime::TokenId>>();
      const auto gaps = reference["greedy" + suffix + "_gap"].get<std::vector<double>>();
      const auto clear = static_cast<std::size_t>(
          std::ranges::find_if(gaps, [&](double gap) { return gap <= 2 * far.largest; }) - gaps.begin());
      const auto continued = greedy(*loaded, tokens, clear);
      INFO(clear << " of " << ids.size() << " steps compared");
      CHECK(continued ==
            std::vector<runtime::TokenId>(ids.begin(), ids.begin() + static_cast<std::ptrdiff_t>(clear)));
      if (!rounds) CHECK(clear == ids.size());
    }
  }
}

TEST_CASE("decoders give the same bits after a cut back to the middle, and beside another text", "[golden][shared]") {
  for (const golden::Case& model : golden::cases_of("causal")) {
    DYNAMIC_SECTION(model.name) {
      const auto tokens = golden::reference(model)["tokens"].get<std::vector<runtime::TokenId>>();
      const auto loaded = golden::load(model);
      const std::size_t vocabulary = loaded->info().vocabulary, middle = tokens.size() / 2;
      const auto logits = test::model_logits(*loaded, tokens);
      const auto end = [&](const std::vector<float>& all, std::size_t from) {
        return std::vector<float>(all.begin() + static_cast<std::ptrdiff_t>(from * vocabulary), all.end());
      };

      // there, and on with other tokens, back, and on with its own
      test::Reader reader(*loaded);
      std::vector<float> some(tokens.size() * vocabulary);
      reader.forward(std::span(tokens).first(middle), {});
      reader.forward(std::span(tokens).first(tokens.size() - middle), {});
      reader.truncate(middle);
      const std::size_t left = reader.tokens().size();  // 0 where states are kept, which are remembered further apart
      CHECK((left == middle || left == 0));
      some.resize((tokens.size() - left) * vocabulary);
      reader.forward(std::span(tokens).subspan(left), some);
      CHECK((some == end(logits, left)));

      // in a pass with the text that is written backwards, of which a part has been read
      const std::vector<runtime::TokenId> backwards(tokens.rbegin(), tokens.rend());
      runtime::Workspace workspace(*loaded);
      runtime::Sequence first(workspace), second(workspace);
      second.forward(std::span(backwards).first(middle), {});
      std::vector<float> together((2 * tokens.size() - middle) * vocabulary);
      const runtime::Reading readings[] = {
          {&first, tokens, tokens.size(), nullptr},
          {&second, std::span(backwards).subspan(middle), tokens.size() - middle, nullptr}};
      runtime::forward(workspace, readings, together);
      CHECK((end(together, tokens.size()) == end(test::model_logits(*loaded, backwards), middle)));
      together.resize(logits.size());
      CHECK((together == logits));
    }
  }
}

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

std::vector<runtime::TokenId> greedy(const runtime::Model& model, const std::vector<runtime::TokenId>& prompt, std::size_t count) {
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

/// Whether tokens have the same logits after the sequence was cut in the middle and extended with other tokens, and then cut back.
bool same_after_a_cut(const runtime::Model& model, std::span<const runtime::TokenId> tokens, std::span<const float> logits) {
  const std::size_t vocabulary = model.info().vocabulary, middle = tokens.size() / 2;
  test::Reader reader(model);
  reader.forward(tokens.first(middle), {});
  reader.forward(tokens.first(tokens.size() - middle), {});
  reader.truncate(middle);
  const std::size_t left =
      reader.tokens()
          .size();  // 0 for models with recurrent states: those are saved only at larger distances, so a cut falls back to the beginning
  CHECK((left == middle || left == 0));
  std::vector<float> rest((tokens.size() - left) * vocabulary);
  reader.forward(tokens.subspan(left), rest);
  return std::ranges::equal(rest, logits.subspan(left * vocabulary));
}

/// Whether they have in passes of `batch` tokens, each with as many of the text that is written backwards, from its middle on;
/// and whether that text has its own.
bool same_beside_another(const runtime::Model& model, std::span<const runtime::TokenId> tokens, std::span<const float> logits,
                         std::size_t batch) {
  const std::size_t vocabulary = model.info().vocabulary, middle = tokens.size() / 2;
  const std::vector<runtime::TokenId> backwards(tokens.rbegin(), tokens.rend());
  const std::vector<float> expected = test::model_logits(model, backwards);
  const auto next = [&](std::span<const runtime::TokenId> of, std::size_t at) {
    return of.subspan(std::min(at, of.size())).first(std::min(batch, of.size() - std::min(at, of.size())));
  };
  runtime::Workspace workspace(model);
  runtime::Sequence one(workspace), other(workspace);
  other.forward(std::span(backwards).first(middle), {});
  bool same = true;
  for (std::size_t at = 0; at < tokens.size(); at += batch) {
    const auto ours = next(tokens, at), theirs = next(backwards, middle + at);
    std::vector<runtime::ForwardInput> inputs;
    if (!theirs.empty()) inputs.push_back({&other, theirs, theirs.size()});
    inputs.push_back({&one, ours, ours.size()});
    std::vector<float> rows((theirs.size() + ours.size()) * vocabulary);
    runtime::forward(workspace, inputs, rows);
    const auto as_in = [&](std::span<const float> all, std::size_t from, std::size_t row, std::size_t count) {
      return std::ranges::equal(all.subspan(from * vocabulary, count * vocabulary),
                                std::span(rows).subspan(row * vocabulary, count * vocabulary));
    };
    same = same && (theirs.empty() || as_in(expected, middle + at, 0, theirs.size())) &&
           as_in(logits, at, theirs.size(), ours.size());
  }
  return same;
}

}  // namespace

TEST_CASE("logits are the exact ones, with quantized weights as nearly as llama.cpp's", "[golden][shared]") {
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
      const double bound = model.group == "quant" ? 1.2 * figures["float64"]["rel_rms"].get<double>() : 2e-5;
      INFO("relative " << far.relative << " of " << bound << ", largest " << far.largest);
      CHECK(far.relative < bound);

      for (const std::size_t batch : {7u, 1u}) {
        const bool same = test::model_logits(*loaded, tokens, batch) == logits;
        INFO("batches of " << batch);
        CHECK(same);
      }

      CHECK(same_after_a_cut(*loaded, tokens, logits));
      for (const std::size_t batch : {tokens.size(), std::size_t{9}}) CHECK(same_beside_another(*loaded, tokens, logits, batch));

      // the greedy continuation, up to the first step that is as close as the error
      const std::string suffix = rounds ? "_exact" : "";
      const auto ids = reference["greedy" + suffix].get<std::vector<runtime::TokenId>>();
      const auto gaps = reference["greedy" + suffix + "_gap"].get<std::vector<double>>();
      const auto clear = static_cast<std::size_t>(std::ranges::find_if(gaps, [&](double gap) { return gap <= 2 * far.largest; }) -
                                                  gaps.begin());
      const auto continued = greedy(*loaded, tokens, clear);
      INFO(clear << " of " << ids.size() << " steps compared");
      CHECK(continued == std::vector<runtime::TokenId>(ids.begin(), ids.begin() + static_cast<std::ptrdiff_t>(clear)));
      if (!rounds) CHECK(clear == ids.size());
    }
  }
}

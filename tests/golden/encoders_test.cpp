// Encoders, and decoders that attend to one, against llama.cpp's results and the same models evaluated in float64.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "golden/distance.hpp"
#include "golden/models.hpp"
#include "runtime/generate.hpp"
#include "support/reader.hpp"

using namespace heed;

namespace {

using Ids = std::vector<runtime::TokenId>;

/// How far from the exact results, or else from llama.cpp's (`kind`), a model may be, and which those are.
struct Expected {
  std::vector<float> values;
  double bound;
};

Expected expected_of(const golden::Case& model, const std::string& kind) {
  const auto figures = golden::figures(model);
  if (!figures["exact_file"].get<bool>()) return {golden::reference_floats(model, kind), 2e-5};
  return {golden::reference_floats(model, ".exact.f32"), 1.2 * figures["float64"]["rel_rms"].get<double>()};
}

}  // namespace

TEST_CASE("encoders give llama.cpp's vectors, or nearer to the exact ones, and its pooled ones", "[golden][shared]") {
  for (const golden::Case& model : golden::cases_of("embed")) {
    DYNAMIC_SECTION(model.name) {
      const auto loaded = golden::load(model);
      if (model.set == golden::kSets[1] && !loaded->encoder()) SKIP(model.name << " gives no vectors yet");
      test::Reader reader(*loaded);
      const auto hidden = reader.encode(golden::reference(model)["tokens"].get<Ids>());
      const Expected expected = expected_of(model, ".hidden.f32");
      const double far = golden::relative_distance(hidden, expected.values);
      INFO("relative " << far << " of " << expected.bound);
      CHECK(far < expected.bound);

      std::vector<float> pooled;  // llama.cpp's own, which are as far from exact as its vectors
      for (const auto pooling : {runtime::Pooling::mean, runtime::Pooling::cls, runtime::Pooling::last})
        for (const float value : reader.encoder().embedding(0, pooling)) pooled.push_back(value);
      const double bound = std::max(1.25 * expected.bound, 2e-5);  // there are few values, and some vary less
      CHECK(golden::relative_distance(pooled, golden::reference_floats(model, ".pooled.f32")) < bound);
    }
  }
}

TEST_CASE("decoders that attend to an encoder give llama.cpp's logits, or nearer to the exact ones", "[golden][shared]") {
  for (const golden::Case& model : golden::cases_of("t5")) {
    DYNAMIC_SECTION(model.name) {
      const auto reference = golden::reference(model);
      const auto loaded = golden::load(model);
      const Ids source = reference["tokens"].get<Ids>(), tokens = reference["dec_tokens"].get<Ids>();
      CHECK(loaded->info().decoder_start == reference["decoder_start_token"].get<runtime::TokenId>());
      const auto logits = test::model_logits(*loaded, tokens, runtime::kMaxBatch, source);
      const Expected expected = expected_of(model, ".logits.f32");
      const double far = golden::relative_distance(logits, expected.values);
      INFO("relative " << far << " of " << expected.bound);
      CHECK(far < expected.bound);
      for (const std::size_t batch : {7u, 1u}) {
        const bool same = test::model_logits(*loaded, tokens, batch, source) == logits;
        CHECK(same);
      }

      // what follows the tokens, greedily: no step is as close as the error
      test::Reader reader(*loaded);
      reader.encode(source);
      std::vector<float> last(loaded->info().vocabulary);
      reader.forward(tokens, last);
      Ids continued;
      for (const auto& id : reference["greedy_exact"].get<Ids>()) {
        continued.push_back(static_cast<runtime::TokenId>(std::ranges::max_element(last) - last.begin()));
        reader.forward(std::span(continued).last(1), last);
        INFO("step " << continued.size());
        CHECK(continued.back() == id);
      }
    }
  }
}

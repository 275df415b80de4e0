// Encoders, and decoders that attend to one, against llama.cpp's results and the same models evaluated in float64.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "golden/distance.hpp"
#include "golden/models.hpp"
#include "nn/spec.hpp"
#include "runtime/generate.hpp"
#include "support/reader.hpp"
#include "support/recorders.hpp"

using namespace heed;

namespace {

using Ids = std::vector<runtime::TokenId>;

/// The allowed distance of a model from the exact results, or else from llama.cpp's (`kind`).
struct Expected {
  std::vector<float> values;
  double bound;
};

Expected expected_of(const golden::Case& model, const std::string& kind) {
  const bool exact = golden::figures(model)["exact_file"].get<bool>();
  return {golden::reference_floats(model, exact ? ".exact.f32" : kind), 2e-5};
}

/// llama.cpp's distance from the exact results, rounded up.
double distance_of_reference(const golden::Case& model) {
  if (!golden::figures(model)["exact_file"].get<bool>()) return 2e-5;
  return 1.5 * golden::figures(model)["float64"]["rel_rms"].get<double>();
}

constexpr runtime::Pooling kPoolings[] = {runtime::Pooling::mean, runtime::Pooling::cls, runtime::Pooling::last};

std::vector<float> pooled_all_ways(const std::vector<float>& rows, std::size_t width) {
  std::vector<float> pooled;
  for (const auto pooling : kPoolings)
    for (const float value : runtime::pool(rows, width, pooling)) pooled.push_back(value);
  return pooled;
}

}  // namespace

TEST_CASE("encoders give llama.cpp's vectors, or nearer to the exact ones, and its pooled ones", "[golden][shared]") {
  for (const golden::Case& model : golden::cases_of("embed")) {
    DYNAMIC_SECTION(model.name) {
      const auto loaded = golden::load(model);
      test::Reader reader(*loaded);
      const Ids tokens = golden::reference(model)["tokens"].get<Ids>();
      reader.encode(tokens);
      const auto rows = reader.encoder().embedding(0, {.pooling = runtime::Pooling::none});
      const Expected expected = expected_of(model, ".hidden.f32");
      const double far = golden::relative_distance(rows, expected.values);
      INFO("relative " << far << " of " << expected.bound);
      CHECK(far < expected.bound);

      std::vector<float> pooled;
      for (const auto pooling : kPoolings)
        for (const float value : reader.encoder().embedding(0, {.pooling = pooling})) pooled.push_back(value);
      const double off = golden::relative_distance(pooled, pooled_all_ways(expected.values, rows.size() / tokens.size()));
      INFO("pooled " << off);
      CHECK(off < expected.bound);
      CHECK(golden::relative_distance(pooled, golden::reference_floats(model, ".pooled.f32")) < distance_of_reference(model));
    }
  }
}

TEST_CASE("rerankers give llama.cpp's scores", "[golden][shared]") {
  for (const golden::Case& model : golden::cases_of("embed")) {
    const auto reference = golden::reference(model);
    if (!reference.contains("rank_outputs")) continue;
    DYNAMIC_SECTION(model.name) {
      const auto loaded = golden::load(model);
      test::Reader reader(*loaded);
      reader.encode(reference["tokens"].get<Ids>());
      const std::vector<float> scores = reader.encoder().scores(), expected = golden::reference_floats(model, ".rank.f32");
      REQUIRE(scores.size() == expected.size());
      for (std::size_t i = 0; i < scores.size(); ++i) {
        INFO(scores[i] << " for " << expected[i]);
        CHECK(std::abs(scores[i] / expected[i] - 1) < distance_of_reference(model));
      }
    }
  }
}

TEST_CASE("a text is encoded to the same bits beside others", "[golden][shared]") {
  for (const golden::Case& model : golden::cases_of("embed")) {
    DYNAMIC_SECTION(model.name) {
      const auto loaded = golden::load(model);
      test::Reader reader(*loaded);
      const Ids tokens = golden::reference(model)["tokens"].get<Ids>();
      const std::span<const runtime::TokenId> whole(tokens);
      const runtime::EncoderRun::Text texts[] = {whole, whole.first(1), whole.last(30), whole.subspan(9, 17), whole.first(16)};
      std::vector<std::vector<float>> alone;
      for (const auto text : texts) {
        reader.encode(text);
        alone.push_back(reader.encoder().embedding());
      }
      for (const std::size_t count : {2u, 3u, 5u}) {
        reader.encoder()(std::span(texts).first(count));
        for (std::size_t i = 0; i < count; ++i) {
          INFO("text " << i << " of " << count);
          const bool same = reader.encoder().embedding(i) == alone[i];
          CHECK(same);
        }
      }
    }
  }
}

TEST_CASE("encoder attention sums to one and stays within the windows", "[golden][shared]") {
  for (const golden::Case& model : golden::cases_of("embed")) {
    DYNAMIC_SECTION(model.name) {
      const auto loaded = golden::load(model);
      test::Reader reader(*loaded);
      const Ids tokens = golden::reference(model)["tokens"].get<Ids>();
      test::AttentionProbe probe(*loaded, {}, {}, runtime::AttentionOf::encoder);
      reader.encode(tokens, &probe);
      const auto weights = probe.weights();
      const std::size_t keys = probe.keys(), heads = loaded->info().heads;
      const auto& layers = loaded->spec().encoder->stack.layers;
      REQUIRE(weights.size() == layers.size() * heads * keys * keys);
      double furthest = 0;  // from 1
      std::size_t outside = 0;
      for (std::size_t row = 0; row < weights.size() / keys; ++row) {
        const auto& attention = std::get<nn::AttentionSpec>(layers[row / keys / heads].sublayers[0].block);
        const std::size_t query = row % keys;
        double sum = 0;
        for (std::size_t key = 0; key < keys; ++key) {
          const float weight = weights[row * keys + key];
          sum += weight;
          const std::size_t away = std::max(query, key) - std::min(query, key);
          const bool near = attention.window == 0 || away <= attention.window / 2;
          const bool seen = attention.mask == nn::Mask::none ? near : key <= query;
          outside += (weight > 0) != seen;
        }
        furthest = std::max(furthest, std::abs(sum - 1));
      }
      CHECK(furthest < 1e-5);
      CHECK(outside == 0);
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

      // greedy continuation; no step is as close as the error
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

// The smallest model of every family (tests/golden/README.md) against independent results.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <map>
#include <string>

#include "golden/distance.hpp"
#include "kernels/dispatch.hpp"
#include "support/json.hpp"
#include "support/load.hpp"
#include "support/reader.hpp"

using namespace heed;
using nlohmann::json;

namespace {

using Ids = std::vector<runtime::TokenId>;
/// By the part of the reference file's name after the model's name.
using Results = std::map<std::string, std::vector<float>>;

std::unique_ptr<runtime::Model> load(const json& model, std::string_view target = "") {
  runtime::LoadOptions options;
  options.kv_cache = KvType::f32;
  options.target = target;
  if (model.contains("context")) options.context_length = model["context"].get<std::size_t>();
  return test::load_bytes(test::read_bytes(test::golden_data(model["model"].get<std::string>())), options);
}

std::vector<float> copy(std::span<const float> values) { return {values.begin(), values.end()}; }

Results encode(const runtime::Model& loaded, const Ids& tokens) {
  test::Reader reader(loaded);
  Results results{{"", copy(reader.encode(tokens))}};
  for (const auto pooling : {runtime::Pooling::mean, runtime::Pooling::cls, runtime::Pooling::last})
    for (const float value : reader.encoder().embedding(0, {.pooling = pooling})) results[".pooled"].push_back(value);
  return results;
}

Results see(const runtime::Model& loaded, const json& model) {
  const auto bytes = test::read_bytes(test::golden_data(model["image"].get<std::string>()));
  const std::size_t side = loaded.spec().vision->patches.image;
  test::Reader reader(loaded);
  Results results;
  results[""] = copy(reader.see({side, side, {reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()}}));
  results[".pooled"] = reader.vision().embedding();
  if (loaded.spec().vision->classes != 0) results[".classes"] = reader.vision().classes();
  return results;
}

Results results_of(const runtime::Model& loaded, const json& model, std::size_t batch) {
  const auto kind = model["kind"].get<std::string>();
  if (kind == "vision") return see(loaded, model);
  const Ids tokens = model["tokens"].get<Ids>();
  if (kind == "encoder") return encode(loaded, tokens);
  if (kind == "decoder") return {{"", test::model_logits(loaded, tokens, batch)}};
  return {{"", test::model_logits(loaded, model["decoder_tokens"].get<Ids>(), batch, tokens)}};
}

}  // namespace

TEST_CASE("every family gives the reference's results, in any batches and on any target", "[golden]") {
  for (const json& model : test::read_json(test::golden_data("index.json"))) {
    const auto name = model["name"].get<std::string>();
    DYNAMIC_SECTION(name) {
      const auto loaded = load(model);
      const Results whole = results_of(*loaded, model, runtime::kMaxBatch);
      for (const auto& [what, values] : whole) {
        const double far = golden::relative_distance(values, test::read_floats(test::golden_data(name + what + ".f32")));
        INFO(name << what << ": relative " << far << " from " << model["reference"].get<std::string>());
        CHECK(far < model["bound"].get<double>());
      }
      for (const std::size_t batch : {7, 1}) {
        INFO("batches of " << batch);
        CHECK(results_of(*loaded, model, batch) == whole);
      }
      for (const kernels::Kernels* target : kernels::available()) {
        INFO(target->name);
        CHECK(results_of(*load(model, target->name), model, 7) == whole);
      }
    }
  }
}

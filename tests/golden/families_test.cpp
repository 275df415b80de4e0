// The smallest model of every family (tests/golden/README.md) against results that are not ours.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <map>
#include <set>
#include <string>

#include "formats/gguf.hpp"
#include "golden/distance.hpp"
#include "kernels/dispatch.hpp"
#include "support/json.hpp"
#include "support/load.hpp"

using namespace heed;
using nlohmann::json;

namespace {

/// DISABLED: models whose tokenizers the engine cannot read yet.
const std::set<std::string> kDisabled = {"bert", "nomic-bert", "t5", "t5-relu", "t5encoder"};

using Ids = std::vector<runtime::TokenId>;

std::unique_ptr<runtime::Model> load(const json& model, std::string_view target = "") {
  runtime::LoadOptions options;
  options.kv_cache = KvType::f32;
  options.context = model["context"].get<std::size_t>();
  options.target = target;
  return test::load_bytes(test::read_bytes(test::golden_data(model["model"].get<std::string>())), options);
}

/// What the reference holds: a decoder's logits, T x V, or an encoder's output, T x D.
std::vector<float> results(const runtime::Model& loaded, const json& model, std::size_t batch) {
  const Ids tokens = model["tokens"].get<Ids>();
  const std::string kind = model["kind"].get<std::string>();
  if (kind == "decoder") return test::model_logits(loaded, tokens, batch);

  runtime::Session session(loaded);
  const std::span<const float> hidden = session.encode(tokens);
  if (kind == "encoder") return {hidden.begin(), hidden.end()};
  const Ids decoder_tokens = model["decoder_tokens"].get<Ids>();
  const std::size_t vocabulary = loaded.info().vocabulary;
  std::vector<float> logits(decoder_tokens.size() * vocabulary);
  for (std::size_t begin = 0; begin < decoder_tokens.size(); begin += batch) {
    const std::size_t count = std::min(batch, decoder_tokens.size() - begin);
    session.forward(std::span(decoder_tokens).subspan(begin, count),
                    std::span(logits).subspan(begin * vocabulary, count * vocabulary));
  }
  return logits;
}

}  // namespace

TEST_CASE("every family gives the reference's results, in any batches and on any target", "[golden]") {
  for (const json& model : test::read_json(test::golden_data("index.json"))) {
    const auto name = model["name"].get<std::string>();
    if (kDisabled.contains(name)) continue;
    DYNAMIC_SECTION(name) {
      const auto loaded = load(model);
      const std::vector<float> whole = results(*loaded, model, runtime::Session::kMaxBatch);
      const double far = golden::relative_distance(whole, test::read_floats(test::golden_data(name + ".f32")));
      INFO("relative " << far << " from " << model["reference"].get<std::string>());
      CHECK(far < model["bound"].get<double>());

      for (const std::size_t batch : {7, 1}) {
        INFO("batches of " << batch);
        CHECK(results(*loaded, model, batch) == whole);
      }
      for (const kernels::Kernels* target : kernels::available()) {
        INFO(target->name);
        CHECK(results(*load(model, target->name), model, 7) == whole);
      }
    }
  }
}

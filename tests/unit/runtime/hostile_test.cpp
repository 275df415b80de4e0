// Damaged model files through the whole engine: each one is an Error or a model that works, none a crash or a
// hang.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <optional>
#include <string>

#include "runtime/generate.hpp"
#include "runtime/load.hpp"
#include "support/damage.hpp"
#include "support/next_token.hpp"
#include "support/reader.hpp"
#include "support/tiny_model.hpp"

using namespace heed;

namespace {

constexpr std::size_t kHostileTokens = 4;

std::unique_ptr<runtime::Model> load(std::span<const std::byte> bytes, std::size_t chunk) {
  runtime::LoadOptions options;
  options.memory_limit = std::uint64_t{256} << 20;
  runtime::Loader loader(options);
  for (; !bytes.empty(); bytes = bytes.subspan(std::min(chunk, bytes.size())))
    loader.write(bytes.first(std::min(chunk, bytes.size())));
  return loader.finish();
}

// Tokens that the model generates; fewer than kHostileTokens only where it said why.
std::size_t generate(const runtime::Model& model) {
  test::Reader reader(model);
  runtime::GenerateOptions options;
  options.max_tokens = kHostileTokens;
  options.stop_at_end = false;
  options.top_logprobs = 3;
  runtime::Generation generation(reader.sequence(), model.tokenizer().encode("the end"), options);
  while (test::next_token(generation)) continue;
  const bool complete = generation.generated().size() == kHostileTokens;
  CHECK((complete || generation.finish_reason() == runtime::FinishReason::context));
  return generation.generated().size();
}

}  // namespace

TEST_CASE("a small generated model works, in every type of weights", "[runtime][hostile]") {
  for (const DTypeInfo& type : kDTypes) {
    INFO(type.name);
    CHECK(generate(*load(test::tiny_llama(type.dtype), 1000)) == kHostileTokens);
  }
}

TEST_CASE("damaged models are errors or work", "[runtime][hostile]") {
  for (const DType dtype :
       {DType::f32, DType::q8_0, DType::q4_0, DType::iq1_m, DType::iq2_xs, DType::iq3_s, DType::q1_0, DType::q2_0, DType::nvfp4}) {
    const auto file = test::tiny_llama(dtype);
    test::DamageOutcomes outcomes;
    test::use_damaged(file, std::string(info(dtype).name), 200, outcomes,
                      [](const std::vector<std::byte>& copy, std::size_t chunk) { generate(*load(copy, chunk)); });
    CHECK(outcomes.refused > 60);  // the damage is real,
    CHECK(outcomes.worked > 10);   // and is not all of it
  }
}

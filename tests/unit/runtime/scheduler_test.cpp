// Several texts at once: each equals the text generated alone, and none waits for long.
#include "runtime/scheduler.hpp"

#include <algorithm>
#include <ranges>

#include <catch2/catch_test_macros.hpp>

#include "runtime/prefix_cache.hpp"
#include "support/load.hpp"
#include "support/tiny_model.hpp"
#include "support/tokens.hpp"
#include "unit/runtime/family_model.hpp"

using namespace heed;
using namespace heed::runtime;
using test::load_bytes;
using test::some_tokens;

namespace {

/// Options of all kinds, another each time.
GenerateOptions some_options(std::size_t seed) {
  GenerateOptions options;
  options.max_tokens = 3 + seed % 9;
  options.stop_at_end = seed % 2 == 0;
  options.sampling.seed = seed;
  options.sampling.temperature = seed % 3 == 0 ? 0.0f : 1.5f;
  options.sampling.repetition_penalty = seed % 4 == 1 ? 1.3f : 1.0f;
  if (seed % 5 == 2) options.stop = {"th", "an"};
  return options;
}

struct Result {
  std::vector<TokenId> tokens;
  std::string text;
  std::vector<float> logprobs;
  FinishReason reason{};

  bool operator==(const Result&) const = default;
};

void pop_tokens(Generation& generation, Result& outcome) {
  REQUIRE(!generation.error());
  while (const auto token = generation.pop_token()) {
    outcome.text += token->text;
    outcome.logprobs.push_back(token->logprob);
  }
  outcome.tokens.assign(generation.generated().begin(), generation.generated().end());
  if (generation.ended()) outcome.reason = *generation.finish_reason();
}

Result alone(const Model& model, const std::vector<TokenId>& prompt, const GenerateOptions& options) {
  Workspace workspace(model);
  Sequence sequence(workspace);
  Generation generation(sequence, prompt, options);
  Result outcome;
  Generation* const self = &generation;
  while (!generation.ended()) REQUIRE(run_together(workspace, {&self, 1}));
  pop_tokens(generation, outcome);
  return outcome;
}

}  // namespace

TEST_CASE("texts generated together equal texts generated alone", "[runtime][scheduler]") {
  for (const std::string architecture :
       {"llama", "gemma3", "gemma3n", "gemma4", "lfm2", "bloom", "deepseek2", "gpt2", "t5", "qwen35moe", "nemotron_h_moe", "mamba",
        "plamo2", "rwkv6", "rwkv7", "arwkv7", "kimi-linear", "hrm_text"}) {
    INFO(architecture);
    LoadOptions load;
    load.threads = 2;
    load.parallel = 5;
    const auto model = load_bytes(test::family_model(architecture, 96), load);
    Workspace workspace(*model);
    PrefixCache kept(workspace, 0);
    Scheduler scheduler(workspace, kept);
    constexpr std::size_t kTexts = 8;  // three of them wait
    std::vector<std::vector<TokenId>> prompts;
    std::vector<std::unique_ptr<Sequence>> sequences;
    std::vector<std::unique_ptr<Generation>> generations;
    for (std::size_t i = 0; i < kTexts; ++i) {
      prompts.push_back(some_tokens(1 + i * 11, i));
      sequences.push_back(std::make_unique<Sequence>(workspace));
      generations.push_back(std::make_unique<Generation>(*sequences[i], prompts[i], some_options(i)));
      scheduler.add(*generations[i]);
    }
    while (!scheduler.idle()) scheduler.step();
    for (std::size_t i = 0; i < kTexts; ++i) {
      INFO("text " << i);
      Result together;
      pop_tokens(*generations[i], together);
      CHECK(together == alone(*model, prompts[i], some_options(i)));
    }
  }
}

TEST_CASE("a long prompt holds nobody up for more than a pass", "[runtime][scheduler]") {
  const auto model = load_bytes(test::family_model("llama", 2048));
  Workspace workspace(*model);
  PrefixCache kept(workspace, 0);
  Scheduler scheduler(workspace, kept);
  GenerateOptions options;
  options.stop_at_end = false;
  options.speculate = false;
  options.max_tokens = 64;
  Sequence writing(workspace), reading(workspace), late(workspace);
  Generation writer(writing, some_tokens(3, 0), options), reader(reading, some_tokens(1500, 1), options),
      latecomer(late, some_tokens(20, 2), options);
  scheduler.add(writer);
  scheduler.step();
  REQUIRE(writer.generated().size() == 1);
  scheduler.add(reader);
  scheduler.step();
  scheduler.add(latecomer);
  std::size_t passes = 1;
  for (; reader.generated().empty(); ++passes) {
    CHECK(writer.generated().size() == 1 + passes);
    CHECK(reading.tokens().size() <= passes * kMaxBatch);
    CHECK(reader.prompt_read() == reading.tokens().size());
    if (passes >= 3) CHECK(latecomer.generated().size() >= 1);  // its prompt had its turn
    scheduler.step();
  }
  CHECK(passes <= 1500 / (kMaxBatch - 22) + 2);
  CHECK(reader.prompt_read() == 1500);
  CHECK(writer.prompt_read() == 3);
  scheduler.remove(writer);
  scheduler.remove(reader);
  scheduler.remove(latecomer);
  CHECK(scheduler.idle());
}

TEST_CASE("a text that ends early leaves the others as they were", "[runtime][scheduler]") {
  const auto model = load_bytes(test::tiny_llama());
  Workspace workspace(*model);
  PrefixCache kept(workspace, 0);
  Scheduler scheduler(workspace, kept);
  GenerateOptions options = some_options(1);
  options.max_tokens = 20;
  Sequence first(workspace), second(workspace);
  Generation aborted(first, some_tokens(9, 0), options), other(second, some_tokens(9, 5), options);
  scheduler.add(aborted);
  scheduler.add(other);
  for (int i = 0; i < 4; ++i) scheduler.step();
  aborted.abort();
  while (!scheduler.idle()) scheduler.step();
  Result ended, whole;
  pop_tokens(aborted, ended);
  pop_tokens(other, whole);
  CHECK(ended.reason == FinishReason::abort);
  CHECK(ended.tokens.size() >= 3);
  CHECK(whole == alone(*model, some_tokens(9, 5), options));
}

TEST_CASE("an interrupted pass changes nothing", "[runtime][scheduler]") {
  for (const std::string architecture : {"llama", "lfm2", "qwen35"}) {
    const auto model = load_bytes(test::family_model(architecture, 400));
    Workspace workspace(*model);
    PrefixCache kept(workspace, 0);
    Scheduler scheduler(workspace, kept);
    GenerateOptions options = some_options(1);
    options.max_tokens = 12;
    Sequence first(workspace), second(workspace);
    Generation one(first, some_tokens(300, 0), options), two(second, some_tokens(4, 5), options);
    scheduler.add(one);
    scheduler.add(two);
    for (std::size_t pass = 0; !scheduler.idle(); ++pass) {
      workspace.interrupt() = pass % 3 == 1;
      scheduler.step();
    }
    Result outcome;
    pop_tokens(one, outcome);
    CHECK(!two.error());
    CHECK(outcome == alone(*model, some_tokens(300, 0), options));
  }
}

TEST_CASE("a text that cannot run in a pass fails alone", "[runtime][scheduler]") {
  LoadOptions load;
  load.parallel = 3;
  const auto model = load_bytes(test::family_model("llama", 96), load);
  Workspace workspace(*model);
  PrefixCache kept(workspace, 0);
  Scheduler scheduler(workspace, kept);
  const GenerateOptions options = some_options(1);
  Sequence first(workspace), second(workspace), third(workspace);
  Generation one(first, some_tokens(6, 0), options), broken(second, some_tokens(4, 1), options),
      two(third, some_tokens(40, 2), options);
  for (Generation* generation : {&one, &broken, &two}) scheduler.add(*generation);
  REQUIRE(second.forward(some_tokens(4, 1), {}));  // the scheduler does not know of it
  while (!scheduler.idle()) scheduler.step();
  CHECK(broken.error());
  Result outcome, other;
  pop_tokens(one, outcome);
  pop_tokens(two, other);
  CHECK(outcome == alone(*model, some_tokens(6, 0), options));
  CHECK(other == alone(*model, some_tokens(40, 2), options));
}

TEST_CASE("a text that cannot continue releases held text", "[runtime][scheduler]") {
  const auto model = load_bytes(test::family_model("llama", 96));
  Workspace workspace(*model);
  PrefixCache kept(workspace, 0);
  Scheduler scheduler(workspace, kept);
  GenerateOptions options = some_options(1);
  options.max_tokens = 6;
  const std::string text = alone(*model, some_tokens(6, 0), options).text;
  options.max_tokens = 3;
  const std::string begun = alone(*model, some_tokens(6, 0), options).text;
  options.max_tokens = 6;
  options.stop = {text + "."};
  Sequence sequence(workspace);
  Generation generation(sequence, some_tokens(6, 0), options);
  scheduler.add(generation);
  while (generation.generated().size() < 3) scheduler.step();
  REQUIRE(generation.pop_token()->text.empty());  // the stop text may be coming
  REQUIRE(generation.pop_token());
  CHECK_FALSE(generation.pop_token());
  REQUIRE(sequence.forward(std::vector(generation.generated().end() - 1, generation.generated().end()), {}));  // unknown to it
  while (!scheduler.idle()) scheduler.step();
  REQUIRE(generation.error());
  const auto last = generation.pop_token();
  REQUIRE(last);
  CHECK_FALSE(begun.empty());
  CHECK(last->text == begun);
}

TEST_CASE("if memory is short, the cache goes first, then only the generation that needs more fails", "[runtime][scheduler]") {
  const auto file = test::family_model("llama", 600);
  LoadOptions load;
  load.parallel = 4;
  load.context_length = 600;
  const auto measured = load_bytes(file, load);
  load.memory_limit = measured->info().memory_bytes + 2 * measured->info().context_bytes;
  const auto model = load_bytes(file, load);
  Workspace workspace(*model);
  PrefixCache kept(workspace, model->info().sequence_bytes);
  Scheduler scheduler(workspace, kept);
  GenerateOptions options = some_options(1);
  options.max_tokens = 10;
  {
    Sequence old(workspace);
    REQUIRE(old.forward(some_tokens(100, 9), {}));
    kept.keep(std::move(old));
  }
  CHECK(kept.size() == 1);
  Sequence first(workspace), second(workspace), third(workspace);
  Generation one(first, some_tokens(560, 0), options), two(second, some_tokens(550, 1), options),
      three(third, some_tokens(540, 2), options);
  const std::vector generations{&one, &two, &three};
  for (Generation* const generation : generations) scheduler.add(*generation);
  const auto failed = [](const Generation* generation) { return generation->error().has_value(); };
  while (!scheduler.idle()) {
    scheduler.step();
    for (Generation* const generation : generations | std::views::filter(failed)) generation->sequence().truncate(0);
  }
  CHECK(kept.size() == 0);
  CHECK(std::ranges::count_if(generations, failed) == 1);
  for (const Generation* const generation : generations) CHECK((failed(generation) || generation->generated().size() == 10));
}

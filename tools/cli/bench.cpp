// heed bench: the speed of a model in reading a prompt and in writing tokens. Each figure is the median of several runs.
#include <algorithm>
#include <chrono>
#include <span>
#include <string>
#include <vector>

#include "cli/add_option.hpp"
#include "cli/commands.hpp"
#include "cli/median.hpp"
#include "cli/model_options.hpp"
#include "cli/output.hpp"
#include "runtime/sequence.hpp"
#include "sampling/random.hpp"

namespace heed::cli {
namespace {

struct Bench {
  ModelOptions model;
  std::size_t prompt = 128;
  std::size_t generated = 32;
  std::size_t repetitions = 3;
  std::size_t parallel = 1;

  void operator()() const;
};

template <class Action>
double seconds_of(Action action) {
  const auto start = std::chrono::steady_clock::now();
  action();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void Bench::operator()() const {
  std::unique_ptr<runtime::Model> loaded;
  const double load_seconds = seconds_of([&] { loaded = model.load(prompt + generated, parallel); });
  const auto& info = loaded->info();
  runtime::Workspace workspace(*loaded);
  runtime::Sequence sequence(workspace);
  sequence.reserve(prompt + generated);

  // The speed does not depend on the tokens, as long as they are not all the same.
  sampling::Random random(1);
  std::vector<tokenizer::TokenId> tokens(prompt + generated);
  for (auto& id : tokens) id = static_cast<tokenizer::TokenId>(random.next() % info.vocabulary);
  std::vector<float> logits(info.vocabulary);

  const auto read_prompt = [&] {
    for (auto left = std::span(tokens).first(prompt); !left.empty();) {
      const auto next = left.first(std::min(left.size(), runtime::kMaxBatch));
      left = left.subspan(next.size());
      sequence.forward(next, left.empty() ? std::span<float>(logits) : std::span<float>());
    }
  };
  // All texts continue the prompt with the same tokens: only their number matters.
  std::vector<float> all_logits(parallel * info.vocabulary);
  const auto generate = [&] {
    std::vector<runtime::Sequence> texts(parallel, sequence);
    std::vector<runtime::ForwardInput> inputs;
    for (runtime::Sequence& text : texts) inputs.push_back({&text, {}, 1});
    for (const auto& id : std::span(tokens).last(generated)) {
      for (runtime::ForwardInput& input : inputs) input.tokens = std::span(&id, 1);
      runtime::forward(workspace, inputs, all_logits);
    }
  };

  std::vector<double> prefill, decode;
  for (std::size_t run = 0; run <= repetitions; ++run) {
    sequence.truncate(0);
    const double prompt_seconds = seconds_of(read_prompt);
    const double generate_seconds = seconds_of(generate);
    if (run == 0) continue;  // it pays for cold caches
    prefill.push_back(static_cast<double>(prompt) / prompt_seconds);
    decode.push_back(static_cast<double>(generated * parallel) / generate_seconds);
  }
  print_json(Json{{"model", model.path},
                  {"target", info.target},
                  {"kv", to_string(info.kv_cache)},
                  {"threads", info.threads},
                  {"promptTokens", prompt},
                  {"generatedTokens", generated},
                  {"parallel", parallel},
                  {"loadMs", load_seconds * 1000},
                  {"prefillTokensPerSecond", median(std::move(prefill))},
                  {"decodeTokensPerSecond", median(std::move(decode))}});
}

}  // namespace

void add_bench(CLI::App& program) {
  auto* command = program.add_subcommand("bench", "Measures the speed of a model, as JSON");
  auto bench = std::make_shared<Bench>();
  bench->model.add_to(*command);
  add_option(*command, "-p,--prompt", bench->prompt, "N", CLI::PositiveNumber, "Tokens of the prompt");
  add_option(*command, "-n,--generate", bench->generated, "N", CLI::PositiveNumber, "Tokens to generate after it");
  add_option(*command, "--parallel", bench->parallel, "N", CLI::PositiveNumber,
             "Texts that continue the prompt at the same time; tokens are the total");
  add_option(*command, "-r,--repetitions", bench->repetitions, "N", CLI::PositiveNumber,
             "Runs to take the median of, after a warm-up run");
  command->callback([bench] { (*bench)(); });
}

}  // namespace heed::cli

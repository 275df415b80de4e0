// heed rewrite: how much guesses speed up writing a text again with few changes. The model is forced to write the text, so the
// share of right guesses is realistic even for random weights.
#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include "cli/add_option.hpp"
#include "cli/commands.hpp"
#include "cli/median.hpp"
#include "cli/model_options.hpp"
#include "cli/output.hpp"
#include "runtime/scheduler.hpp"
#include "sampling/random.hpp"

namespace heed::cli {
namespace {

struct Rewrite {
  ModelOptions model;
  std::size_t tokens = 400;
  std::size_t every = 25;  // every so many tokens, one is changed
  std::size_t repetitions = 3;

  void operator()() const;
};

/// Allows only the next token of a given text, without announcing it through forced().
class Forced final : public sampling::Constraint {
 public:
  Forced(std::vector<tokenizer::TokenId> text, std::size_t vocabulary) : text_(std::move(text)), mask_((vocabulary + 63) / 64) {}

  sampling::TokenMask mask() override {
    std::ranges::fill(mask_, 0);
    const auto next = static_cast<std::size_t>(text_[written_]);
    mask_[next / 64] = std::uint64_t{1} << next % 64;
    return mask_;
  }
  void accept(tokenizer::TokenId) override { ++written_; }
  bool finished() override { return written_ == text_.size(); }
  std::string forced() override { return {}; }

 private:
  std::vector<tokenizer::TokenId> text_;
  std::size_t written_ = 0;
  std::vector<std::uint64_t> mask_;
};

void Rewrite::operator()() const {
  const auto loaded = model.load(2 * tokens);
  runtime::Workspace workspace(*loaded);
  sampling::Random random(1);
  const auto token = [&] {
    for (;;) {
      const auto id = static_cast<tokenizer::TokenId>(random.next() % loaded->info().vocabulary);
      if (!loaded->tokenizer().ends_generation(id)) return id;
    }
  };
  std::vector<tokenizer::TokenId> original(tokens);
  std::ranges::generate(original, token);
  std::vector<tokenizer::TokenId> changed = original, foreign(tokens);
  for (std::size_t i = every; i < tokens; i += every) changed[i] = token();
  std::ranges::generate(foreign, token);

  const auto seconds_of = [&](const std::vector<tokenizer::TokenId>& text, bool speculate, runtime::Timings& timings) {
    runtime::GenerateOptions options;
    options.max_tokens = tokens;
    options.sampling.temperature = 0;
    options.speculate = speculate;
    runtime::Sequence sequence(workspace);
    runtime::Generation generation(sequence, original, options, std::make_unique<Forced>(text, loaded->info().vocabulary));
    runtime::Generation* const alone = &generation;
    while (!generation.ended()) {
      runtime::run_together(workspace, {&alone, 1});
      while (generation.pop_token()) continue;
    }
    timings = generation.timings();
    return timings.generate_seconds;
  };
  runtime::Timings of_changed, of_foreign, without;
  std::vector<double> rewriting, anew;
  for (std::size_t run = 0; run <= repetitions; ++run) {
    const double plain = seconds_of(changed, false, without), guessed = seconds_of(changed, true, of_changed);
    const double plain_anew = seconds_of(foreign, false, without), guessed_anew = seconds_of(foreign, true, of_foreign);
    if (run == 0) continue;
    rewriting.push_back(plain / guessed);
    anew.push_back(plain_anew / guessed_anew);
  }
  print_json(Json{{"model", model.path},
                  {"target", loaded->info().target},
                  {"threads", loaded->info().threads},
                  {"tokens", tokens},
                  {"changedEvery", every},
                  {"rewritingFaster", median(std::move(rewriting))},
                  {"guessedTokens", of_changed.guessed_tokens},
                  {"acceptedTokens", of_changed.accepted_tokens},
                  {"withoutRepetitionFaster", median(std::move(anew))},
                  {"guessedInVain", of_foreign.guessed_tokens}});
}

}  // namespace

void add_rewrite(CLI::App& program) {
  auto* command = program.add_subcommand("rewrite", "Measures what guesses gain when a text is rewritten, as JSON");
  auto rewrite = std::make_shared<Rewrite>();
  rewrite->model.add_to(*command);
  add_option(*command, "-n,--tokens", rewrite->tokens, "N", CLI::PositiveNumber, "Tokens of the text");
  add_option(*command, "-e,--every", rewrite->every, "N", CLI::PositiveNumber, "One token in this many is changed");
  add_option(*command, "-r,--repetitions", rewrite->repetitions, "N", CLI::PositiveNumber,
             "Runs to take the median of, after a warm-up run");
  command->callback([rewrite] { (*rewrite)(); });
}

}  // namespace heed::cli

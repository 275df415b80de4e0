// heed score: how probable a text is to the model.
#include <algorithm>
#include <memory>
#include <vector>

#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/text_options.hpp"
#include "engine/score.hpp"

namespace heed::cli {
namespace {

struct Scoring {
  TextOptions text;
  std::size_t from = 1;

  void operator()() const;
};

void Scoring::operator()() const {
  engine::Engine engine = text.open();
  const std::unique_ptr<engine::DecoderRun> run = text.begin(engine);
  if (text.tokens.size() == 1) text.read(*run);  // nothing to score: it is only checked
  std::vector<float> logprobs;
  while (logprobs.size() + 1 < text.tokens.size()) {
    const auto left = std::span(text.tokens).subspan(logprobs.size());
    const auto next = *run->score(left.first(std::min(text.batch + 1, left.size())));
    logprobs.insert(logprobs.end(), next.begin(), next.end());
  }
  const std::size_t skipped = std::min(std::max<std::size_t>(from, 1) - 1, logprobs.size());
  const engine::Score score = engine::score_of(std::span(logprobs).subspan(skipped));
  Json json = {{"logprob", {nullptr}}, {"sum", score.sum}, {"mean", nullptr}, {"perplexity", nullptr}};
  for (const float logprob : logprobs) json["logprob"].push_back(logprob);
  if (score.mean) json["mean"] = *score.mean;
  if (score.perplexity) json["perplexity"] = *score.perplexity;
  print_json(json);
}

}  // namespace

void add_score(CLI::App& program) {
  auto* command = program.add_subcommand("score", "Prints the log-probability (natural) of each token of a text, as JSON");
  auto scoring = std::make_shared<Scoring>();
  scoring->text.add_to(*command);
  command->add_option("--from", scoring->from, "The first token that counts in the sum, the mean and the perplexity")
      ->option_text("INDEX [1]");
  command->callback([scoring] { (*scoring)(); });
}

}  // namespace heed::cli

// heed score: the probability of a text according to the model.
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/text_options.hpp"
#include "engine/score.hpp"

namespace heed::cli {
namespace {

struct Scoring {
  TextOptions options;
  std::size_t from = 1;

  void operator()() const;
  std::vector<float> read(engine::DecoderRun& run, std::span<const tokenizer::TokenId> tokens) const;
};

/// The log-probabilities of the tokens after the first. Tokens of images have none, and trailing ones are not run.
std::vector<float> Scoring::read(engine::DecoderRun& run, std::span<const tokenizer::TokenId> tokens) const {
  while (tokens.size() > 1 && tokens.back() < 0) tokens = tokens.first(tokens.size() - 1);
  if (tokens.size() == 1) options.read(run, tokens);  // nothing to score, but the token is checked
  std::vector<float> logprobs;
  while (tokens.size() > 1) {
    const std::size_t count = options.next_pass(run, tokens.first(tokens.size() - 1));
    const auto next = *run.score(tokens.first(count + 1));
    logprobs.insert(logprobs.end(), next.begin(), next.end());
    tokens = tokens.subspan(count);
  }
  return logprobs;
}

void Scoring::operator()() const {
  engine::Engine engine = options.open();
  const runtime::PictureText text = options.text(engine);
  const std::unique_ptr<engine::DecoderRun> run = options.begin(engine, text.tokens);
  const std::vector<float> logprobs = read(*run, text.tokens);
  std::vector<float> counted;
  Json of_each = {nullptr};
  auto next = logprobs.begin();
  for (std::size_t i = 1; i < text.tokens.size(); ++i) {
    const bool is_text = text.tokens[i] >= 0;
    of_each.push_back(is_text ? Json(*next) : Json());
    if (is_text && i >= from) counted.push_back(*next);
    if (is_text) ++next;
  }
  const engine::Score score = engine::score_of(counted);
  Json json = {{"logprob", std::move(of_each)}, {"sum", score.sum}, {"mean", nullptr}, {"perplexity", nullptr}};
  if (score.mean) json["mean"] = *score.mean;
  if (score.perplexity) json["perplexity"] = *score.perplexity;
  print_json(json);
}

}  // namespace

void add_score(CLI::App& program) {
  auto* command = program.add_subcommand(
      "score", "Prints the log-probability (natural) of each token of a text, as JSON; null for those of images");
  auto scoring = std::make_shared<Scoring>();
  scoring->options.add_to(*command);
  command->add_option("--from", scoring->from, "The first token that counts in the sum, the mean and the perplexity")
      ->option_text("INDEX [1]");
  command->callback([scoring] { (*scoring)(); });
}

}  // namespace heed::cli

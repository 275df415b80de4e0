// heed run: prints a prompt and its continuation, or only a constrained text, to stdout as it is generated; figures go to stderr.
#include <cstdint>
#include <iomanip>
#include <iostream>
#include <optional>
#include <stdexcept>
#include <string>

#include "cli/change_options.hpp"
#include "cli/commands.hpp"
#include "cli/draft_choice.hpp"
#include "cli/model_options.hpp"
#include "cli/output.hpp"
#include "cli/picture_options.hpp"
#include "cli/options.generated.hpp"
#include "engine/engine.hpp"

namespace heed::cli {
namespace {

struct Run {
  ModelOptions model;
  std::string prompt;
  bool parse_special = false;
  bool ignore_end = false;
  bool greedy = false;
  bool print_ids = false;
  runtime::GenerateOptions options;
  ConstraintOptions constraint;
  ChangeOptions change;
  DraftChoice draft;
  PictureOptions pictures;

  void add_to(CLI::App& command);
  void operator()();
};

void Run::add_to(CLI::App& command) {
  model.add_to(command);
  command.add_option("-p,--prompt", prompt, "Text to continue")->required()->option_text("TEXT");
  add_sampling_options(command, options);
  const auto set_exact = [this](std::size_t count) {
    options.max_tokens = count;
    ignore_end = true;
  };
  command.add_option_function<std::size_t>("--tokens", set_exact, "As --max-tokens N --ignore-end")->option_text("N");
  command.add_flag("--greedy", greedy, "As --temperature 0");
  command.add_flag("--ignore-end", ignore_end, "Continue after a token that ends the text");
  add_form_options(command, constraint);
  change.add_to(command);
  draft.add_to(command);
  command.add_flag("--parse-special", parse_special, "Recognize control tokens written in the prompt");
  command.add_flag("--ids", print_ids, "Print the ids of the new tokens instead of the text");
  pictures.add_projector_to(command);
  pictures.add_to(command);
  pictures.add_sounds_to(command);
}

void print_figures(const engine::Ended& end, const runtime::ModelInfo& info) {
  const auto print_rate = [](const char* what, std::size_t tokens, double seconds) {
    std::cerr << '\n' << what << ": " << tokens << " tokens";
    if (tokens > 0) std::cerr << ", " << static_cast<double>(tokens) / seconds << " tokens/s";
  };
  std::cerr << std::fixed << std::setprecision(1);
  print_rate("prompt", end.timings.prompt_tokens - end.timings.reused_tokens, end.timings.prompt_seconds);
  print_rate("generated", end.timings.generated_tokens, end.timings.generate_seconds);
  if (end.timings.speculation == runtime::Speculation::drafts) {
    const auto [drafted, right] = end.timings.drafts();
    std::cerr << "\ndrafts: " << drafted << " tokens, " << right << " right";
  }
  std::cerr << "\nfinish: " << to_string(end.reason) << "; threads: " << info.threads << "; target: " << info.target
            << "; kv: " << to_string(info.kv_cache) << '\n';
}

void Run::operator()() {
  options.stop_at_end = !ignore_end;
  if (greedy) options.sampling.temperature = 0;
  as_usage([this] { sampling::check(options.sampling); });
  runtime::LoadOptions loading = model.load_options();
  loading.draft_heads = draft.own_heads();
  engine::Engine engine(model.path, loading);
  draft.load_for(engine);
  const tokenizer::Tokenizer& tokenizer = engine.model().tokenizer();
  options.changes = change.changes(engine);
  const runtime::PictureText text = pictures.empty()
                                        ? runtime::PictureText{tokenizer.encode(prompt, {.parse_special = parse_special}), {}}
                                        : pictures.read(prompt, engine, model);
  engine.begin({text.tokens, options}, constraint.constraint(tokenizer));
  if (!print_ids && !constraint.given()) print(prompt);
  Json ids = Json::array();
  std::optional<engine::Ended> ended;
  while (engine.generates()) {
    for (const engine::Event& event : engine.step()) {
      if (event.error) throw *event.error;
      if (event.ended) ended = event.ended;
      else if (print_ids) ids.push_back(event.token->id);
      else print(event.token->text);
    }
  }
  if (print_ids) print(ids.dump() + '\n');
  print_figures(*ended, engine.model().info());
  if (constraint.given() && ended->reason != runtime::FinishReason::stop)
    throw std::runtime_error("the text was cut off before it satisfied the constraint");
}

}  // namespace

void add_run(CLI::App& program) {
  auto* command = program.add_subcommand("run", "Continues a prompt");
  auto run = std::make_shared<Run>();
  run->add_to(*command);
  command->callback([run] { (*run)(); });
}

}  // namespace heed::cli

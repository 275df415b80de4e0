#include "cli/text_options.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace heed::cli {

void TextOptions::add_to(CLI::App& command) {
  model.add_to(command);
  command.add_option("--tokens", tokens, "Token ids, separated by commas; none are added")
      ->required()
      ->delimiter(',')
      ->allow_extra_args(false)
      ->option_text("ID,...");
  command.add_option("--context", context, "Tokens to make room for; by default only those given")
      ->check(CLI::PositiveNumber)
      ->option_text("N");
  command.add_option("--batch", batch, "Tokens to compute at once; the results do not depend on it")
      ->check(CLI::Range(std::size_t{1}, runtime::kMaxBatch))
      ->option_text("N [" + std::to_string(batch) + "]");
  change.add_to(command);
}

engine::Engine TextOptions::open() const { return engine::Engine(model.path, model.load_options(context.value_or(tokens.size()))); }

std::unique_ptr<engine::DecoderRun> TextOptions::begin(engine::Engine& engine, std::vector<runtime::Edit> edits) const {
  std::unique_ptr<engine::DecoderRun> run(new engine::DecoderRun(engine.read()));
  run->change(change.changes(engine, std::move(edits)), tokens);
  return run;
}

void TextOptions::read(engine::DecoderRun& run, const std::function<void(std::span<const float>)>& logits) const {
  for (std::span left(tokens); !left.empty();) {
    const auto next = left.first(std::min(batch, left.size()));
    const auto rows = run.forward(next, logits ? next.size() : 0);
    if (logits) logits(*rows);
    left = left.subspan(next.size());
  }
}

}  // namespace heed::cli

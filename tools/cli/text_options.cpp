#include "cli/text_options.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "cli/add_option.hpp"

namespace heed::cli {

void TextOptions::add_to(CLI::App& command) {
  model.add_to(command);
  given.add_to(command);
  add_option(command, "--batch", batch, "N", CLI::Range(std::size_t{1}, runtime::kMaxBatch),
             "Tokens to compute at once; the results do not depend on it");
  change.add_to(command);
}

engine::Engine TextOptions::open(std::size_t other_tokens) const {
  given.check();
  std::optional<std::size_t> room;
  if (!given.tokens.empty()) room = std::max(given.tokens.size(), other_tokens);
  return engine::Engine(model.path, model.load_options(room));
}

std::unique_ptr<engine::DecoderRun> TextOptions::begin(engine::Engine& engine, std::span<const tokenizer::TokenId> tokens,
                                                       std::vector<runtime::Edit> edits) const {
  std::unique_ptr<engine::DecoderRun> run(new engine::DecoderRun(engine.read()));
  run->change(change.changes(engine, std::move(edits)), tokens);
  return run;
}

std::size_t TextOptions::next_pass(const engine::DecoderRun& run, std::span<const tokenizer::TokenId> left) const {
  return run.next_pass(left.first(std::min(batch, left.size())));
}

void TextOptions::read(engine::DecoderRun& run, std::span<const tokenizer::TokenId> tokens,
                       const std::function<void(std::span<const float>)>& logits) const {
  while (!tokens.empty()) {
    const auto next = tokens.first(next_pass(run, tokens));
    const auto rows = run.forward(next, logits ? next.size() : 0);
    if (logits) logits(*rows);
    tokens = tokens.subspan(next.size());
  }
}

}  // namespace heed::cli

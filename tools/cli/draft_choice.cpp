#include "cli/draft_choice.hpp"

#include "runtime/load.hpp"

namespace heed::cli {

void DraftChoice::add_to(CLI::App& command) {
  command.add_option("--draft", source_, "What drafts: a GGUF file for this model, or heads: those in its own file")
      ->option_text("FILE|heads");
}

void DraftChoice::load_for(engine::Engine& engine) const {
  if (!given() || by_heads()) return;
  const auto loader = engine.draft_loader();
  engine.use_drafts(runtime::load_file(source_, *loader));
}

}  // namespace heed::cli

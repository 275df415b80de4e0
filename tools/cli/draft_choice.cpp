#include "cli/draft_choice.hpp"

#include "runtime/load.hpp"

namespace heed::cli {

void DraftChoice::add_to(CLI::App& command) {
  command
      .add_option("--draft", source_,
                  "What drafts: heads in the model's file, if it has some (auto) or as it must (heads), or a GGUF file")
      ->option_text("auto|heads|off|FILE [auto]");
}

runtime::OwnHeads DraftChoice::own_heads() const noexcept {
  if (source_ == "auto") return runtime::OwnHeads::automatic;
  return source_ == "heads" ? runtime::OwnHeads::required : runtime::OwnHeads::off;
}

void DraftChoice::load_for(engine::Engine& engine) const {
  if (own_heads() != runtime::OwnHeads::off || source_ == "off") return;
  const auto loader = engine.draft_loader();
  engine.use_drafts(runtime::load_file(source_, *loader));
}

}  // namespace heed::cli

#include "cli/draft_choice.hpp"

#include <cstddef>
#include <fstream>
#include <span>
#include <vector>

#include "base/error.hpp"

namespace heed::cli {

void DraftChoice::add_to(CLI::App& command) {
  command.add_option("--draft", source_, "What drafts: a GGUF file for this model, or heads: those in its own file")
      ->option_text("FILE|heads");
}

void DraftChoice::load_for(engine::Engine& engine) const {
  if (!given() || by_heads()) return;
  std::ifstream file(source_, std::ios::binary);
  if (!file) throw Error(ErrorCode::io, "cannot be opened", source_);
  const auto loader = engine.draft_loader();
  std::vector<std::byte> chunk(std::size_t{1} << 22);
  while (file.read(reinterpret_cast<char*>(chunk.data()), static_cast<std::streamsize>(chunk.size())) || file.gcount() > 0)
    loader->write(std::span(chunk).first(static_cast<std::size_t>(file.gcount())));
  engine.use_drafts(loader->finish());
}

}  // namespace heed::cli

// The option of commands that may write with drafts.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "engine/engine.hpp"

namespace heed::cli {

class DraftChoice {
 public:
  void add_to(CLI::App& command);
  /// Whether the model's own heads draft, which are read with it.
  runtime::OwnHeads own_heads() const noexcept;
  /// Loads the file, if one drafts, for the engine's model.
  void load_for(engine::Engine& engine) const;

 private:
  std::string source_ = "auto";
};

}  // namespace heed::cli

// The options that change a model for a text: adapters and control vectors.
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "engine/engine.hpp"

namespace heed::cli {

struct ChangeOptions {
  std::vector<std::string> adapters, control_vectors;

  /// Adds --lora and --control-vector.
  void add_to(CLI::App& command);

  /// With these edits after those of the control vectors. Throws Error, naming the file: io for one that cannot be read, and what the
  /// engine throws.
  runtime::Changes changes(const engine::Engine& engine, std::vector<runtime::Edit> edits = {}) const;
};

}  // namespace heed::cli

// The options for adapters and control vectors.
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

  /// The changes: these edits after those of the control vectors. Throws io, naming the file, if one cannot be read, and as the
  /// engine does.
  runtime::Changes changes(const engine::Engine& engine, std::vector<runtime::Edit> edits = {}) const;
};

}  // namespace heed::cli

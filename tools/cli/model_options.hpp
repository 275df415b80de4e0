// The options of every command that runs a model.
#pragma once

#include <CLI/CLI.hpp>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "runtime/load.hpp"

namespace heed::cli {

struct ModelOptions {
  std::string path;
  runtime::LoadOptions loading;

  /// Defaults to as many threads as the machine runs at once.
  ModelOptions();

  /// Adds MODEL, or another option for the file, --target, and the options of loading (cli/options.generated.hpp).
  void add_to(CLI::App& command, const std::string& file = "MODEL",
              const std::string& description = "A GGUF file; npx heed also takes a URL or hf:OWNER/REPOSITORY:Q4_K_M");

  /// `context`: positions to make room for unless --context says how many; absent leaves it to the model.
  runtime::LoadOptions load_options(std::optional<std::size_t> context = {}, std::optional<std::size_t> parallel = {}) const;
  std::unique_ptr<runtime::Model> load(std::optional<std::size_t> context = {}, std::optional<std::size_t> parallel = {}) const;
};

/// Runs `check`; an invalid_argument that it throws becomes wrong usage (exit status 2).
template <class Check>
void as_usage(Check check) {
  try {
    check();
  } catch (const Error& error) {
    if (error.code() != ErrorCode::invalid_argument) throw;
    throw CLI::ValidationError(error.message());
  }
}

}  // namespace heed::cli

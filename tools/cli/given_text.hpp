// The options of the commands that read a whole text: its tokens, or a prompt, which may have images.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "cli/model_options.hpp"
#include "cli/picture_options.hpp"
#include "engine/engine.hpp"

namespace heed::cli {

struct GivenText {
  std::vector<tokenizer::TokenId> tokens;
  std::string prompt;
  PictureOptions pictures;

  /// Adds --tokens, --prompt, --mmproj, --image and --rgb.
  void add_to(CLI::App& command);

  /// Throws CLI::ValidationError unless there are tokens or else a prompt.
  void check() const;
  /// The tokens, which can be read as long as the result is there.
  runtime::PictureText read(engine::Engine& engine, const ModelOptions& model) const;
};

}  // namespace heed::cli

// The options of commands that run on a whole text: its tokens, or a prompt, which may include images and sounds.
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

  /// Adds --tokens, --prompt, --mmproj, --image, --rgb and --wav.
  void add_to(CLI::App& command);

  /// Throws CLI::ValidationError unless there are tokens or else a prompt.
  void check() const;
  /// The tokens, valid as long as the result exists.
  runtime::PictureText read(engine::Engine& engine, const ModelOptions& model) const;
};

}  // namespace heed::cli

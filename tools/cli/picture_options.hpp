// The options of the commands that read images and sounds.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/model_options.hpp"
#include "engine/projector.hpp"

namespace heed::cli {

class PictureOptions {
 public:
  /// Adds --image and --rgb.
  void add_to(CLI::App& command);
  /// Adds --wav.
  void add_sounds_to(CLI::App& command);
  /// Adds --mmproj, for commands whose MODEL is the text model.
  void add_projector_to(CLI::App& command);

  bool empty() const noexcept { return sources_.empty() && sounds_.empty(); }
  /// In the order of the options. Throws io and invalid_argument.
  std::vector<images::Picture> read() const;
  std::vector<std::shared_ptr<const runtime::HeardSound>> read_sounds() const;
  /// The path of the sound, if there is exactly one.
  std::optional<std::string> only_sound() const;

  /// The prompt, in which <image> marks each image, and <audio> each sound; needs --mmproj.
  runtime::PictureText read(const std::string& prompt, engine::Engine& engine, const ModelOptions& model) const;

 private:
  std::vector<std::function<images::Picture()>> sources_;
  std::vector<std::string> sounds_;
  std::string projector_;
};

}  // namespace heed::cli

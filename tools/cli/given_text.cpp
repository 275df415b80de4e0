#include "cli/given_text.hpp"

#include "cli/add_option.hpp"

namespace heed::cli {

void GivenText::add_to(CLI::App& command) {
  add_list(command, "--tokens", tokens, "ID,...", "Token ids, separated by commas; none are added");
  command
      .add_option("-p,--prompt", prompt,
                  "A text instead, with control tokens; each image is marked as <image>, each sound as <audio>")
      ->option_text("TEXT");
  pictures.add_projector_to(command);
  pictures.add_to(command);
  pictures.add_sounds_to(command);
}

void GivenText::check() const {
  if (tokens.empty() == prompt.empty()) throw CLI::ValidationError("either --tokens or --prompt is required");
}

runtime::PictureText GivenText::read(engine::Engine& engine, const ModelOptions& model) const {
  if (!pictures.empty()) return pictures.read(prompt, engine, model);
  return {prompt.empty() ? tokens : engine.model().tokenizer().encode(prompt, {.parse_special = true}), {}};
}

}  // namespace heed::cli

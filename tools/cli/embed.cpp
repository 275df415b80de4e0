// heed embed: an encoder's output for a text, for comparison with other engines.
#include <algorithm>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "cli/commands.hpp"
#include "cli/model_options.hpp"
#include "cli/output.hpp"
#include "engine/engine.hpp"

namespace heed::cli {
namespace {

struct Embed {
  ModelOptions model;
  std::vector<tokenizer::TokenId> tokens;
  std::string prompt, out;
  runtime::EmbeddingForm form;

  void operator()();
};

void Embed::operator()() {
  engine::Engine engine(model.path, model.load_options());
  if (!prompt.empty()) tokens = engine.model().tokenizer().encode(prompt);
  const std::vector<float> vectors = engine.embed({&tokens, 1}, form)->at(0);
  OutputFile file(out);
  const auto bytes = std::as_bytes(std::span(vectors));
  file.write({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  file.close();
}

}  // namespace

void add_embed(CLI::App& program) {
  auto* command = program.add_subcommand("embed", "Writes the vectors from an encoder: f32, little-endian");
  auto embed = std::make_shared<Embed>();
  embed->model.kv = KvType::f32;
  embed->model.add_to(*command);
  auto* input = command->add_option_group("input")->require_option(1);
  input->add_option("--tokens", embed->tokens, "Token ids, separated by commas; none are added")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->option_text("ID,...");
  input->add_option("-p,--prompt", embed->prompt, "Text")->option_text("TEXT");
  const auto set_pooling = [embed](const std::string& name) { embed->form.pooling = runtime::parse_pooling(name); };
  command
      ->add_option_function<std::string>("--pooling", set_pooling,
                                         "How to pool token vectors into one; by default as the file specifies")
      ->check(CLI::IsMember({"mean", "cls", "last", "none"}))
      ->option_text("mean|cls|last|none");
  command->add_option("--dimensions", embed->form.dimensions, "Keep only this many numbers of each vector, the first ones")
      ->option_text("N");
  command->add_flag("--normalize,--normalise", embed->form.normalized, "Then scale vectors to length 1");
  command->add_option("--out", embed->out, "File to write")->required()->option_text("FILE");
  command->callback([embed] { (*embed)(); });
}

}  // namespace heed::cli

// heed embed: an encoder's output for a text, for comparison with other engines.
#include <algorithm>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "cli/commands.hpp"
#include "cli/model_options.hpp"
#include "cli/options.generated.hpp"
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
  embed->model.loading.kv_cache = KvType::f32;
  embed->model.add_to(*command);
  auto* input = command->add_option_group("input")->require_option(1);
  add_list(*input, "--tokens", embed->tokens, "ID,...", "Token ids, separated by commas; none are added");
  input->add_option("-p,--prompt", embed->prompt, "Text")->option_text("TEXT");
  add_embedding_options(*command, embed->form);
  command->add_option("--out", embed->out, "File to write")->required()->option_text("FILE");
  command->callback([embed] { (*embed)(); });
}

}  // namespace heed::cli

// heed intervene: the logits of a text under a plan of edits (cli/plan.hpp).
#include <memory>
#include <string>

#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/plan.hpp"
#include "cli/text_options.hpp"

namespace heed::cli {
namespace {

struct Intervene {
  TextOptions options;
  std::string plan, out;

  void operator()() const;
};

void Intervene::operator()() const {
  engine::Engine engine = options.open();
  const runtime::PictureText text = options.text(engine);
  const std::unique_ptr<engine::DecoderRun> run = options.begin(engine, text.tokens, read_plan(plan, engine));
  OutputFile file(out);
  options.read(*run, text.tokens, [&](std::span<const float> logits) {
    const auto bytes = std::as_bytes(logits);
    file.write({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  });
  file.close();
}

}  // namespace

void add_intervene(CLI::App& program) {
  auto* command = program.add_subcommand("intervene",
                                         "Writes the logits of every position under edits of states, heads and attention");
  auto intervene = std::make_shared<Intervene>();
  intervene->options.add_to(*command);
  command->add_option("--plan", intervene->plan, "The edits, as JSON")->required()->option_text("FILE");
  command->add_option("--out", intervene->out, "File to write: T x V, f32, little-endian")->required()->option_text("FILE");
  command->callback([intervene] { (*intervene)(); });
}

}  // namespace heed::cli

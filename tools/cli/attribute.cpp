// heed attribute: where a logit comes from, by embedding, head and layer (direct logit attribution).
#include <memory>

#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/text_options.hpp"

namespace heed::cli {
namespace {

struct Attribute {
  TextOptions text;
  std::size_t position = 0;
  tokenizer::TokenId token = 0;

  void operator()() const;
};

void Attribute::operator()() const {
  engine::Engine engine = text.open();
  const std::unique_ptr<engine::DecoderRun> run = text.begin(engine);
  run->watch_attribution(position);
  text.read(*run);
  const runtime::Attribution parts = run->attribute(token);
  print_json({{"embedding", parts.embedding},
              {"heads", parts.heads},
              {"attention_bias", parts.attention_bias},
              {"mlp", parts.mlp},
              {"constant", parts.constant},
              {"sum", parts.sum},
              {"logit", parts.logit}});
}

}  // namespace

void add_attribute(CLI::App& program) {
  auto* command = program.add_subcommand("attribute", "Says what wrote a logit into the residual stream, as JSON");
  auto attribute = std::make_shared<Attribute>();
  attribute->text.add_to(*command);
  command->add_option("--position", attribute->position, "Of the logit")->required()->option_text("N");
  command->add_option("--token", attribute->token, "Whose logit it is")->required()->option_text("ID");
  command->callback([attribute] { (*attribute)(); });
}

}  // namespace heed::cli

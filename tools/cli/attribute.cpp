// heed attribute: the contributions of the embedding, heads and layers to a logit (direct logit attribution).
#include <memory>
#include <optional>

#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/text_options.hpp"

namespace heed::cli {
namespace {

struct Attribute {
  TextOptions options;
  std::size_t position = 0;
  tokenizer::TokenId token = 0;
  std::optional<tokenizer::TokenId> against;

  void operator()() const;
};

void Attribute::operator()() const {
  engine::Engine engine = options.open();
  const runtime::PictureText text = options.text(engine);
  const std::unique_ptr<engine::DecoderRun> run = options.begin(engine, text.tokens);
  run->watch(runtime::attribution_requests(engine.model(), static_cast<std::uint32_t>(position)), text.tokens.size());
  options.read(*run, text.tokens);
  const runtime::Attribution parts = run->attribute(token, against);
  Json experts = Json::array();
  bool has_experts = false;
  for (const auto& layer : parts.experts) {
    experts.push_back(layer);
    has_experts = has_experts || !layer.empty();
  }
  Json json = {
      {"embedding", parts.embedding}, {"heads", parts.heads}, {"attention_bias", parts.attention_bias}, {"mlp", parts.mlp},
      {"constant", parts.constant},   {"sum", parts.sum},     {"before_cap", parts.before_cap},         {"logit", parts.logit},
      {"difference", parts.logit}};
  if (has_experts) json["experts"] = experts;
  print_json(json);
}

}  // namespace

void add_attribute(CLI::App& program) {
  auto* command = program.add_subcommand("attribute", "Says what wrote a logit into the residual stream, as JSON");
  auto attribute = std::make_shared<Attribute>();
  attribute->options.add_to(*command);
  command->add_option("--position", attribute->position, "Of the logit")->required()->option_text("N");
  command->add_option("--token", attribute->token, "Whose logit it is")->required()->option_text("ID");
  command->add_option("--against", attribute->against, "A second token, whose logit is subtracted")->option_text("ID");
  command->callback([attribute] { (*attribute)(); });
}

}  // namespace heed::cli

// heed lens: each layer's prediction of the next token (the logit lens).
#include <algorithm>
#include <memory>
#include <vector>

#include "cli/add_option.hpp"
#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/text_options.hpp"

namespace heed::cli {
namespace {

struct Lens {
  TextOptions options;
  engine::LensForm form;
  std::vector<std::uint32_t> positions;

  void operator()() const;
};

void Lens::operator()() const {
  engine::Engine engine = options.open();
  const runtime::PictureText text = options.text(engine);
  const std::unique_ptr<engine::DecoderRun> run = options.begin(engine, text.tokens);
  run->watch(runtime::state_requests(engine.model(), {{}, positions}), text.tokens.size());
  options.read(*run, text.tokens);
  const std::size_t layers = engine.model().info().layers + 1;
  const std::size_t rows = positions.empty() ? text.tokens.size() : positions.size();  // of each layer
  Json json = {{"layers", Json::array()}};
  for (std::size_t i = 0; i < layers; ++i) {
    Json top = Json::array(), logprob = Json::array(), watched = Json::array();
    for (std::size_t at = 0; at < rows; ++at) {
      const engine::LensRow row = run->lens(i * rows + at, 1, form)[0];
      Json ids = Json::array(), logprobs = Json::array();
      for (const auto& [id, probability] : row.top) {
        ids.push_back(id);
        logprobs.push_back(probability);
      }
      top.push_back(std::move(ids));
      logprob.push_back(std::move(logprobs));
      watched.push_back(row.watched);
    }
    json["layers"].push_back({{"layer", static_cast<int>(i) - 1},
                              {"top", std::move(top)},
                              {"logprob", std::move(logprob)},
                              {"watch", std::move(watched)}});
  }
  print_json(json);
}

}  // namespace

void add_lens(CLI::App& program) {
  auto* command = program.add_subcommand("lens", "Says what each layer would predict, as JSON; layer -1 is what enters the first");
  auto lens = std::make_shared<Lens>();
  lens->options.add_to(*command);
  add_option(*command, "--top", lens->form.top, "N", "The most probable tokens to print");
  add_list(*command, "--watch", lens->form.watched, "ID,...", "Tokens whose log-probabilities to print besides");
  add_list(*command, "--positions", lens->positions, "N,...", "Only at these positions");
  command->callback([lens] { (*lens)(); });
}

}  // namespace heed::cli

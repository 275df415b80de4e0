// heed hidden: the residual stream of a text, for comparison with other engines.
#include <charconv>
#include <memory>
#include <string>
#include <vector>

#include "cli/add_option.hpp"
#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/text_options.hpp"

namespace heed::cli {
namespace {

struct Hidden {
  TextOptions options;
  std::vector<std::string> layers = {"all"};
  std::vector<std::uint32_t> positions;
  std::string out;

  void operator()() const;
};

/// One of --layers: "norm", or a layer.
std::optional<std::int32_t> parse_layer(const std::string& name) {
  if (name == "norm") return std::nullopt;
  std::int32_t layer;
  const char* const end = name.data() + name.size();
  const auto [read, error] = std::from_chars(name.data(), end, layer);
  if (error != std::errc() || read != end)
    throw CLI::ValidationError("--layers", name + " is not all, norm or the number of a layer");
  return layer;
}

/// Prints the states of each entry in turn. The final norm's output is computed from the last layer's states.
void Hidden::operator()() const {
  engine::Engine engine = options.open();
  const auto last = static_cast<std::int32_t>(engine.model().info().layers) - 1;
  std::vector<std::string> names = layers;
  if (names == std::vector<std::string>{"all"}) {
    names.clear();
    for (std::int32_t layer = runtime::kEmbeddingLayer; layer <= last; ++layer) names.push_back(std::to_string(layer));
    names.emplace_back("norm");
  }
  OutputFile file(out);
  const runtime::PictureText text = options.text(engine);
  const std::unique_ptr<engine::DecoderRun> run = options.begin(engine, text.tokens);
  run->watch(runtime::state_requests(engine.model(), {{}, positions}), text.tokens.size());
  options.read(*run, text.tokens);
  const std::span<const float> states = run->watched();
  const std::size_t entry = states.size() / static_cast<std::size_t>(last + 2), width = engine.model().info().width;
  for (const std::string& name : names) {
    const std::optional<std::int32_t> layer = parse_layer(name);
    if (layer && (*layer < runtime::kEmbeddingLayer || *layer > last))
      throw Error(ErrorCode::invalid_argument, name + " is out of range: the model has " + std::to_string(last + 1), "layers");
    const auto of_layer = states.subspan(static_cast<std::size_t>(layer.value_or(last) + 1) * entry, entry);
    for (std::size_t at = 0; at < entry; at += width) {
      const auto state = of_layer.subspan(at, width);
      const std::vector<float> row = layer ? std::vector(state.begin(), state.end()) : engine.final_norm(state);
      file.write({reinterpret_cast<const char*>(row.data()), row.size() * sizeof(float)});
    }
  }
  file.close();
}

}  // namespace

void add_hidden(CLI::App& program) {
  auto* command = program.add_subcommand("hidden", "Writes the residual stream: layers x T x D, f32, little-endian");
  auto hidden = std::make_shared<Hidden>();
  hidden->options.add_to(*command);
  add_list(*command, "--layers", hidden->layers, "LAYER,... [all]",
           "States after these layers; -1: what enters the first; norm: the output of the final norm; all: all of these");
  add_list(*command, "--positions", hidden->positions, "N,...", "Only at these positions");
  command->add_option("--out", hidden->out, "File to write")->required()->option_text("FILE");
  command->callback([hidden] { (*hidden)(); });
}

}  // namespace heed::cli

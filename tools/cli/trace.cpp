// heed trace: values at points of a pass over a text, for comparison with other engines.
#include <memory>
#include <string>
#include <vector>

#include "cli/add_option.hpp"
#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/text_options.hpp"

namespace heed::cli {
namespace {

struct Trace {
  TextOptions options;
  std::vector<std::string> points;
  std::vector<std::uint32_t> positions;
  std::string out;

  void operator()() const;
};

void Trace::operator()() const {
  engine::Engine engine = options.open();
  const runtime::PictureText text = options.text(engine);
  const std::unique_ptr<engine::DecoderRun> run = options.begin(engine, text.tokens);
  run->watch(runtime::requests_of(engine.model(), {.what = "points", .points = points, .positions = positions}),
             text.tokens.size());
  OutputFile file(out);
  options.read(*run, text.tokens);
  Json json = {{"points", Json::array()}};
  const runtime::Recorder& recorded = *run->recorded();
  for (std::size_t i = 0; i < recorded.requests().size(); ++i)
    json["points"].push_back({{"name", recorded.requests()[i].at.name()}, {"shape", recorded.shape(i)}});
  const std::span<const float> values = run->watched();
  file.write({reinterpret_cast<const char*>(values.data()), values.size_bytes()});
  file.close();
  print_json(json);
}

}  // namespace

void add_trace(CLI::App& program) {
  auto* command = program.add_subcommand("trace",
                                         "Writes what there is at points of a pass, f32, little-endian, and says their shapes");
  auto trace = std::make_shared<Trace>();
  trace->options.add_to(*command);
  add_list(*command, "--points", trace->points, "POINT,...", "Such as embed, resid.5, attn.0.weights, head.0, mlp.3.out or logits")
      ->required();
  add_list(*command, "--positions", trace->positions, "N,...", "Only at these positions");
  command->add_option("--out", trace->out, "File to write")->required()->option_text("FILE");
  command->callback([trace] { (*trace)(); });
}

}  // namespace heed::cli

// heed vision: the steps of an image on its way into a text model, for comparison with other engines.
#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "cli/commands.hpp"
#include "cli/model_options.hpp"
#include "cli/output.hpp"
#include "cli/picture_options.hpp"
#include "cli/prompt_chunks.hpp"
#include "images/tiles.hpp"
#include "runtime/pictures/picture_prompt.hpp"
#include "runtime/pictures/projector_file.hpp"
#include "runtime/pictures/tile_run.hpp"

namespace heed::cli {
namespace {

struct Vision {
  ModelOptions model;
  std::string text_model, out, stage, prompt;
  PictureOptions pictures;
  std::vector<std::size_t> size = {};  // in place of images

  void operator()() const;
  void write_tiles(runtime::TileRun& run) const;
  void print_tokens(runtime::TileRun& run) const;
  void write_rgb() const;
};

void write(OutputFile& file, const std::vector<float>& values) {
  const auto bytes = std::as_bytes(std::span(values));
  file.write({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

void Vision::operator()() const {
  if (stage != "tokens" && (out.empty() || pictures.empty()))
    throw CLI::ValidationError("--stage " + stage + " needs --image or --rgb, and --out");
  if (stage == "tokens" && (text_model.empty() || prompt.empty()))
    throw CLI::ValidationError("--stage tokens needs MODEL and --prompt");
  if (stage == "rgb") return write_rgb();
  if (model.path.empty()) throw CLI::ValidationError("--stage " + stage + " needs --mmproj");
  const std::unique_ptr<runtime::Model> projector = runtime::load_file(model.path, model.load_options(), &runtime::kProjectorFile);
  runtime::TileRun run(*projector);
  if (stage == "tokens") print_tokens(run);
  else write_tiles(run);
}

void Vision::print_tokens(runtime::TileRun& run) const {
  std::vector<images::Picture> all = pictures.read();
  if (!size.empty()) all.push_back({{size[0], size[1]}, {}});
  print_chunks(text_model, runtime::split_at_marks(prompt, all), run);
}

/// Writes tiles or their rows. One line: {"tiles": [[width, height, rows], ...]}.
void Vision::write_tiles(runtime::TileRun& run) const {
  OutputFile file(out);
  Json tiles = Json::array();
  for (const images::Picture& picture : pictures.read())
    for (const images::Picture& tile : images::tiles_of(run.spec().preparation, picture)) {
      tiles.push_back({tile.size.width, tile.size.height, run.rows(tile.size)});
      write(file, stage == "pixels" ? images::normalize(run.spec().preparation, tile) : run(tile));
    }
  file.close();
  print(Json{{"tiles", tiles}}.dump() + '\n');
}

/// Writes the decoded images. One line for each: {"width": w, "height": h}.
void Vision::write_rgb() const {
  OutputFile file(out);
  std::string lines;
  for (const images::Picture& picture : pictures.read()) {
    file.write({reinterpret_cast<const char*>(picture.rgb.data()), picture.rgb.size()});
    lines += Json{{"width", picture.size.width}, {"height", picture.size.height}}.dump() + '\n';
  }
  file.close();
  print(lines);
}

}  // namespace

void add_vision(CLI::App& program) {
  auto* command = program.add_subcommand("vision",
                                         "Writes what a vision tower reads of images, or makes of them: f32, little-endian");
  auto vision = std::make_shared<Vision>();
  vision->model.add_to(*command, "--mmproj", "The GGUF file of the vision tower");
  command->add_option("MODEL", vision->text_model, "The GGUF file of the text model, for tokens")->option_text("FILE");
  command->get_option("--mmproj")->required(false);
  vision->pictures.add_to(*command);
  command->add_option("--size", vision->size, "For tokens, the size of an image in place of the image")
      ->type_size(2)
      ->expected(1)
      ->option_text("WIDTH HEIGHT");
  command
      ->add_option(
          "--stage", vision->stage,
          "Pixels: the tiles, normalized, as planes. Embeddings: the rows for the text model. Tokens: prints where these are. "
          "RGB: the images themselves, in bytes")
      ->required()
      ->check(CLI::IsMember({"pixels", "embeddings", "tokens", "rgb"}))
      ->option_text("pixels|embeddings|tokens|rgb");
  command->add_option("-p,--prompt", vision->prompt, "For tokens, the text around the images: each is marked as <image>")
      ->option_text("TEXT");
  command->add_option("--out", vision->out, "File to write")->option_text("FILE");
  command->callback([vision] { (*vision)(); });
}

}  // namespace heed::cli

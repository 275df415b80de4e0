// heed vision: what becomes of images on their way into a text model, step by step, for comparison with other engines.
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "cli/commands.hpp"
#include "cli/header.hpp"
#include "cli/model_options.hpp"
#include "cli/output.hpp"
#include "images/tiles.hpp"
#include "runtime/picture_prompt.hpp"
#include "runtime/projector_file.hpp"
#include "runtime/tile_run.hpp"

namespace heed::cli {
namespace {

/// Bytes of red, green and blue, without a header.
struct RawImage {
  std::size_t width = 0, height = 0;
  std::string path;

  images::Picture read() const;
};

images::Picture RawImage::read() const {
  images::check_size({width, height});
  images::Picture picture{{width, height}, std::vector<std::uint8_t>(width * height * 3)};
  std::ifstream file(path, std::ios::binary);
  if (!file) throw Error(ErrorCode::io, "cannot be opened", path);
  const auto size = static_cast<std::streamsize>(picture.rgb.size());
  file.read(reinterpret_cast<char*>(picture.rgb.data()), size);
  if (file.gcount() != size || file.peek() != std::ifstream::traits_type::eof())
    throw Error(ErrorCode::invalid_argument,
                "must have 3 bytes for each of " + std::to_string(width) + " x " + std::to_string(height) + " pixels", path);
  return picture;
}

struct Vision {
  ModelOptions model;
  std::string text_model, out, stage, prompt;
  std::vector<std::string> raw;        // width, height and path of each
  std::vector<std::size_t> size = {};  // in place of images

  void operator()() const;
  void write_tiles(runtime::TileRun& run) const;
  void print_chunks(const runtime::TileRun& run) const;
  std::vector<RawImage> raw_images() const;
};

std::vector<RawImage> Vision::raw_images() const {
  const auto side = [](const std::string& text) {
    std::size_t n = 0;
    if (!CLI::detail::lexical_cast(text, n)) throw CLI::ValidationError("--rgb: '" + text + "' is not a number of pixels");
    return n;
  };
  std::vector<RawImage> images;
  for (std::size_t i = 0; i + 2 < raw.size(); i += 3) images.push_back({side(raw[i]), side(raw[i + 1]), raw[i + 2]});
  return images;
}

void write(OutputFile& file, const std::vector<float>& values) {
  const auto bytes = std::as_bytes(std::span(values));
  file.write({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

void Vision::operator()() const {
  if (stage != "tokens" && (out.empty() || raw.empty())) throw CLI::ValidationError("--stage " + stage + " needs --rgb and --out");
  if (stage == "tokens" && (text_model.empty() || prompt.empty()))
    throw CLI::ValidationError("--stage tokens needs MODEL and --prompt");
  const std::unique_ptr<runtime::Model> projector = runtime::load_file(model.path, model.load_options(), &runtime::kProjectorFile);
  runtime::TileRun run(*projector);
  if (stage == "tokens") print_chunks(run);
  else write_tiles(run);
}

/// One line: {"chunks": [tokens or {"image": rows, "positions": [[time, row, column], ...]}, ...], "n_past": positions}.
void Vision::print_chunks(const runtime::TileRun& run) const {
  std::vector<images::Size> sizes;
  for (const RawImage& image : raw_images()) sizes.push_back({image.width, image.height});
  if (!size.empty()) sizes.push_back({size[0], size[1]});
  const formats::TensorFile header = read_header(text_model);
  const auto tokenizer = tokenizer::make_tokenizer(header.metadata);
  const std::string sections = header.metadata.text("general.architecture") + ".rope.dimension_sections";
  const bool axes = header.metadata.contains(sections);
  Json chunks = Json::array();
  std::size_t position = 0;
  for (const runtime::PromptChunk& chunk : runtime::read_prompt(prompt, sizes, *tokenizer, run)) {
    if (chunk.is_tile()) {
      Json tile{{"image", chunk.rows}};
      for (std::size_t i = 0; axes && i < chunk.rows; ++i) tile["positions"].push_back(chunk.coordinates(i, position).values);
      chunks.push_back(tile);
    } else {
      chunks.push_back(chunk.tokens);
    }
    position += chunk.positions(axes);
  }
  print(Json{{"chunks", chunks}, {"n_past", position}}.dump() + '\n');
}

/// Writes tiles or their rows. One line: {"tiles": [[width, height, rows], ...]}.
void Vision::write_tiles(runtime::TileRun& run) const {
  const std::vector<RawImage> images = raw_images();
  OutputFile file(out);
  Json tiles = Json::array();
  for (const RawImage& image : images)
    for (const images::Picture& tile : images::tiles_of(run.spec().preparation, image.read())) {
      tiles.push_back({tile.size.width, tile.size.height, run.rows(tile.size)});
      write(file, stage == "pixels" ? images::normalize(run.spec().preparation, tile) : run(tile));
    }
  file.close();
  print(Json{{"tiles", tiles}}.dump() + '\n');
}

}  // namespace

void add_vision(CLI::App& program) {
  auto* command = program.add_subcommand("vision",
                                         "Writes what a vision tower reads of images, or makes of them: f32, little-endian");
  auto vision = std::make_shared<Vision>();
  vision->model.add_to(*command, "--mmproj", "The GGUF file of the vision tower");
  command->add_option("MODEL", vision->text_model, "The GGUF file of the text model, for tokens")->option_text("FILE");
  CLI::Option* const raw =
      command->add_option("--rgb", vision->raw, "An image: its size and a file of its bytes, red, green and blue, row by row")
          ->type_size(3)
          ->option_text("WIDTH HEIGHT FILE");
  command->add_option("--size", vision->size, "For tokens, the size of an image in place of the image")
      ->type_size(2)
      ->expected(1)
      ->excludes(raw)
      ->option_text("WIDTH HEIGHT");
  command
      ->add_option(
          "--stage", vision->stage,
          "Pixels: the tiles, normalized, as planes. Embeddings: the rows for the text model. Tokens: prints where these are")
      ->required()
      ->check(CLI::IsMember({"pixels", "embeddings", "tokens"}))
      ->option_text("pixels|embeddings|tokens");
  command->add_option("-p,--prompt", vision->prompt, "For tokens, the text around the images: each is marked as <image>")
      ->option_text("TEXT");
  command->add_option("--out", vision->out, "File to write")->option_text("FILE");
  command->callback([vision] { (*vision)(); });
}

}  // namespace heed::cli

#include "cli/picture_options.hpp"

#include <fstream>

#include "audio/resample.hpp"
#include "base/error.hpp"
#include "base/thread_pool.hpp"
#include "cli/png.hpp"
#include "cli/sound_options.hpp"
#include "runtime/pictures/projector_file.hpp"

namespace heed::cli {
namespace {

/// Bytes of red, green and blue, without a header.
images::Picture read_raw(images::Size size, const std::string& path) {
  images::check_size(size);
  images::Picture picture{size, std::vector<std::uint8_t>(size.pixels() * 3)};
  std::ifstream file(path, std::ios::binary);
  if (!file) throw Error(ErrorCode::io, "cannot be opened", path);
  const auto bytes = static_cast<std::streamsize>(picture.rgb.size());
  file.read(reinterpret_cast<char*>(picture.rgb.data()), bytes);
  if (file.gcount() != bytes || file.peek() != std::ifstream::traits_type::eof())
    throw Error(ErrorCode::invalid_argument,
                "must have 3 bytes for each of " + std::to_string(size.width) + " x " + std::to_string(size.height) + " pixels",
                path);
  return picture;
}

std::size_t pixels_of(const std::string& text) {
  std::size_t n = 0;
  if (!CLI::detail::lexical_cast(text, n)) throw CLI::ValidationError("--rgb: '" + text + "' is not a number of pixels");
  return n;
}

}  // namespace

void PictureOptions::add_to(CLI::App& command) {
  const auto add_png = [this](const std::string& path) { sources_.emplace_back([path] { return read_png(path); }); };
  command.add_option_function<std::string>("--image", add_png, "An image: a PNG file; repeatable")
      ->trigger_on_parse()
      ->option_text("FILE");
  const auto add_raw = [this](const std::vector<std::string>& raw) {
    const images::Size size{pixels_of(raw[0]), pixels_of(raw[1])};
    sources_.emplace_back([size, path = raw[2]] { return read_raw(size, path); });
  };
  command
      .add_option_function<std::vector<std::string>>(
          "--rgb", add_raw, "An image: its size and a file of its bytes, red, green and blue, row by row; repeatable")
      ->type_size(3)
      ->trigger_on_parse()
      ->option_text("WIDTH HEIGHT FILE");
}

void PictureOptions::add_sounds_to(CLI::App& command) {
  command.add_option("--wav", sounds_, "A sound: a WAV file; repeatable")->option_text("FILE");
}

void PictureOptions::add_projector_to(CLI::App& command) {
  command.add_option("--mmproj", projector_, "The GGUF file of the towers, for images and sounds")->option_text("FILE");
}

std::vector<images::Picture> PictureOptions::read() const {
  std::vector<images::Picture> pictures;
  pictures.reserve(sources_.size());
  for (const auto& source : sources_) pictures.push_back(source());
  return pictures;
}

std::vector<std::shared_ptr<const runtime::HeardSound>> PictureOptions::read_sounds() const {
  ThreadPool pool(1);
  std::vector<std::shared_ptr<const runtime::HeardSound>> sounds;
  for (const std::string& path : sounds_) {
    const audio::Sound sound = read_sound(path);
    sounds.push_back(runtime::heard_sound(audio::resample(sound.samples, sound.rate, audio::kRate, pool)));
  }
  return sounds;
}

std::optional<std::string> PictureOptions::only_sound() const {
  return sounds_.size() == 1 ? std::optional(sounds_.front()) : std::nullopt;
}

runtime::PictureText PictureOptions::read(const std::string& prompt, engine::Engine& engine, const ModelOptions& model) const {
  if (projector_.empty()) throw CLI::ValidationError("images and sounds need --mmproj");
  runtime::LoadOptions loading = model.load_options();
  loading.context_length.reset();  // the text's
  engine::Projector projector(engine, runtime::load_file(projector_, loading, &runtime::kProjectorFile));
  const std::vector<images::Picture> pictures = read();
  const auto sounds = read_sounds();
  return projector.read(runtime::split_at_marks(prompt, pictures, sounds));
}

}  // namespace heed::cli

// heed audio: the steps of a sound on its way into a text model, for comparison with other engines.
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "audio/resample.hpp"
#include "base/thread_pool.hpp"
#include "cli/commands.hpp"
#include "cli/model_options.hpp"
#include "cli/output.hpp"
#include "cli/picture_options.hpp"
#include "cli/prompt_chunks.hpp"
#include "cli/sound_options.hpp"
#include "images/tiles.hpp"
#include "runtime/pictures/projector_file.hpp"

namespace heed::cli {
namespace {

struct Audio {
  ModelOptions model;
  std::string text_model, stage, out, prompt;
  PictureOptions pictures;
  std::size_t rate = audio::kRate, samples = 0;

  void operator()() const;
  void write_samples() const;
  std::vector<std::shared_ptr<const runtime::HeardSound>> sounds() const;
  void write_features(runtime::SoundRun& run) const;
  void write_rows(const runtime::Towers& towers) const;
};

void Audio::operator()() const {
  if (stage == "pcm") return write_samples();
  if (model.path.empty()) throw CLI::ValidationError("--stage " + stage + " needs --mmproj");
  if (stage == "tokens" && (text_model.empty() || prompt.empty()))
    throw CLI::ValidationError("--stage tokens needs MODEL and --prompt");
  if (stage != "tokens" && out.empty()) throw CLI::ValidationError("--stage " + stage + " needs --out");
  const std::unique_ptr<runtime::Model> file = runtime::load_file(model.path, model.load_options(), &runtime::kProjectorFile);
  runtime::SoundRun hears(*file);
  std::optional<runtime::TileRun> sees;
  if (file->reader()) sees.emplace(*file);
  const runtime::Towers towers(sees ? &*sees : nullptr, &hears);
  if (stage == "features") return write_features(hears);
  if (stage == "embeddings") return write_rows(towers);
  const std::vector<images::Picture> seen = pictures.read();
  const auto heard = sounds();
  print_chunks(text_model, runtime::split_at_marks(prompt, seen, heard), towers);
}

std::vector<std::shared_ptr<const runtime::HeardSound>> Audio::sounds() const {
  if (samples == 0) return pictures.read_sounds();
  return {runtime::planned_sound(samples)};
}

/// One file, at any rate.
void Audio::write_samples() const {
  const auto path = pictures.only_sound();
  if (!path || out.empty()) throw CLI::ValidationError("--stage pcm needs one --wav, and --out");
  const audio::Sound sound = read_sound(*path);
  ThreadPool pool(1);
  OutputFile file(out);
  file.write(audio::resample(sound.samples, sound.rate, rate, pool));
  file.close();
}

/// Bands x frames of each part. One line: {"chunks": [[frames, bands, rows], ...]}.
void Audio::write_features(runtime::SoundRun& run) const {
  OutputFile file(out);
  Json chunks = Json::array();
  for (const auto& sound : sounds()) {
    const std::vector<std::size_t> rows = run.rows(sound->count);
    const audio::Features features = run.features(*sound);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::vector<float> values = features.copy(i);
      const std::size_t width = features.width(), frames = values.size() / width;
      std::vector<float> turned(values.size());
      for (std::size_t v = 0; v < values.size(); ++v) turned[v % width * frames + v / width] = values[v];
      file.write(turned);
      chunks.push_back({frames, width, rows[i]});
    }
  }
  file.close();
  print(Json{{"chunks", chunks}}.dump() + '\n');
}

/// Of images first, then of sounds.
void Audio::write_rows(const runtime::Towers& towers) const {
  OutputFile file(out);
  for (const images::Picture& picture : pictures.read())
    for (const images::Picture& tile : images::tiles_of(towers.seeing().spec().preparation, picture))
      file.write(towers.seeing()(tile));
  for (const auto& sound : sounds()) {
    const audio::Features features = towers.hearing().features(*sound);
    for (std::size_t i = 0; i < features.chunks().size(); ++i) file.write(towers.hearing()(features, i));
  }
  file.close();
}

}  // namespace

void add_audio(CLI::App& program) {
  auto* command = program.add_subcommand("audio",
                                         "Writes what an audio tower reads of sounds, or makes of them: f32, little-endian");
  auto audio = std::make_shared<Audio>();
  audio->model.add_to(*command, "--mmproj", "The GGUF file of the audio tower");
  command->add_option("MODEL", audio->text_model, "The GGUF file of the text model, for tokens")->option_text("FILE");
  command->get_option("--mmproj")->required(false);
  audio->pictures.add_sounds_to(*command);
  audio->pictures.add_to(*command);
  command->add_option("--samples", audio->samples, "For tokens, the length of a sound at 16000 Hz in place of the sound")
      ->check(CLI::Range(std::size_t{1}, std::size_t{1} << 31))
      ->option_text("N");
  command
      ->add_option(
          "--stage", audio->stage,
          "Features: what the tower reads, bands x frames. Embeddings: the rows for the text model. Tokens: prints where these "
          "are. PCM: the samples themselves, the mean of all channels")
      ->required()
      ->check(CLI::IsMember({"features", "embeddings", "tokens", "pcm"}))
      ->option_text("features|embeddings|tokens|pcm");
  command->add_option("-p,--prompt", audio->prompt, "For tokens, the text around the sounds: each is marked as <audio>")
      ->option_text("TEXT");
  command->add_option("--rate", audio->rate, "For PCM, samples per second")->check(CLI::Range(1000, 400000))->option_text("N");
  command->add_option("--out", audio->out, "File to write")->option_text("FILE");
  command->callback([audio] { (*audio)(); });
}

}  // namespace heed::cli

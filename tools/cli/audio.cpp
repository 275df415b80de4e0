// heed audio: a sound as a model reads it, for comparison with other programs.
#include <memory>
#include <string>

#include "audio/resample.hpp"
#include "base/thread_pool.hpp"
#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/sound_options.hpp"

namespace heed::cli {
namespace {

struct Audio {
  std::string wav, stage, out;
  std::size_t rate = 16000;

  void operator()() const {
    const audio::Sound sound = read_sound(wav);
    ThreadPool pool(1);
    OutputFile file(out);
    file.write(audio::resample(sound.samples, sound.rate, rate, pool));
    file.close();
  }
};

}  // namespace

void add_audio(CLI::App& program) {
  auto* command = program.add_subcommand("audio", "Writes a sound as a model reads it: f32, little-endian");
  auto audio = std::make_shared<Audio>();
  command->add_option("--wav", audio->wav, "A WAV file")->required()->option_text("FILE");
  command->add_option("--stage", audio->stage, "PCM: its samples, the mean of all channels")
      ->required()
      ->check(CLI::IsMember({"pcm"}))
      ->option_text("pcm");
  command->add_option("--rate", audio->rate, "Samples per second")->check(CLI::Range(1000, 400000))->option_text("N");
  command->add_option("--out", audio->out, "File to write")->required()->option_text("FILE");
  command->callback([audio] { (*audio)(); });
}

}  // namespace heed::cli

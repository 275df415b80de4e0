// heed transcribe: the text of a sound, and the steps on the way to it, for comparison with other engines.
#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "audio/resample.hpp"
#include "base/error.hpp"
#include "cli/commands.hpp"
#include "cli/model_options.hpp"
#include "cli/output.hpp"
#include "cli/sound_options.hpp"
#include "engine/transcription.hpp"
#include "nn/spec.hpp"

namespace heed::cli {
namespace {

struct Transcribe {
  ModelOptions model;
  std::string wav, stage = "text", out;
  std::size_t seek = 0;
  std::vector<tokenizer::TokenId> tokens;
  std::vector<std::string> heads;  // LAYER:HEAD
  bool no_timestamps = false, keep_blank = false, translate = false;
  runtime::TranscribeOptions options;

  void operator()();
  void write_mel(runtime::Workspace& workspace, const audio::Sound& sound) const;
  void write_network(runtime::Workspace& workspace, const audio::Sound& sound) const;
  void transcribe(runtime::Workspace& workspace, audio::Sound sound) const;
};

audio::MelSpectrogram listen(runtime::Workspace& workspace, const audio::Sound& sound) {
  ThreadPool& pool = workspace.model().pool();
  return {runtime::AudioRun(workspace).mel(), audio::resample(sound.samples, sound.rate, audio::kRate, pool), pool};
}

/// Band by band.
void Transcribe::write_mel(runtime::Workspace& workspace, const audio::Sound& sound) const {
  const audio::MelSpectrogram mel = listen(workspace, sound);
  std::vector<float> frames(mel.frames() * mel.bands()), turned(frames.size());
  mel.copy(0, mel.frames(), frames.data());
  for (std::size_t f = 0; f < mel.frames(); ++f)
    for (std::size_t b = 0; b < mel.bands(); ++b) turned[b * mel.frames() + f] = frames[f * mel.bands() + b];
  OutputFile file(out);
  file.write(turned);
  file.close();
}

/// The tower's output; or the logits of the decoder for given tokens, or what they attend to in the sound.
void Transcribe::write_network(runtime::Workspace& workspace, const audio::Sound& sound) const {
  const runtime::Model& loaded = workspace.model();
  runtime::AudioRun run(workspace);
  const std::size_t positions = options.audio_positions == 0 ? run.most_positions() : options.audio_positions;
  run(listen(workspace, sound), seek, positions);
  OutputFile file(out);
  if (stage == "encoder") {
    file.write(run.hidden());
    return file.close();
  }
  runtime::Sequence sequence(workspace);
  sequence.attend_to(run.hidden());
  std::vector<runtime::AlignmentHead> all;
  for (std::size_t layer = 0; layer < loaded.info().layers; ++layer)
    for (std::size_t head = 0; head < loaded.info().heads; ++head) all.push_back({layer, head});
  runtime::Recorder recorder(loaded, stage == "cross" ? runtime::alignment_requests(loaded, all) : std::vector<runtime::Request>());
  recorder.prepare(0, tokens.size(), positions);
  const std::span<float> logits = workspace.logits(tokens.size());
  sequence.forward(tokens, logits, &recorder);
  file.write(stage == "cross" ? recorder.values() : logits);
  file.close();
}

std::string clock(std::size_t hundredths) {
  char text[32];
  std::snprintf(text, sizeof text, "%02zu:%02zu:%02zu.%03zu", hundredths / 360000, hundredths / 6000 % 60, hundredths / 100 % 60,
                hundredths % 100 * 10);
  return text;
}

void Transcribe::transcribe(runtime::Workspace& workspace, audio::Sound sound) const {
  engine::Transcription transcription(workspace, std::move(sound), options);
  Json segments = Json::array(), windows = Json::array();
  while (!transcription.state().done()) {
    const auto complete = transcription.step();
    for (const runtime::TranscribedSegment& segment : *complete) {
      if (stage == "text") print("[" + clock(segment.start) + " --> " + clock(segment.end) + "] " + segment.text + "\n");
      segments.push_back({{"t0", segment.start}, {"t1", segment.end}, {"text", segment.text}, {"tokens", segment.tokens}});
      if (options.words) segments.back()["dtw"] = segment.times;
    }
  }
  if (stage == "text") return;
  for (const runtime::TranscribedWindow& window : transcription.state().windows())
    windows.push_back({{"seek", window.seek}, {"prompt", window.prompt}, {"ids", window.ids}});
  const Json all{{"language", transcription.state().language()}, {"windows", windows}, {"segments", segments}};
  print(all.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n');
}

void Transcribe::operator()() {
  const bool writes = stage != "text" && stage != "segments";
  if (writes && out.empty()) throw CLI::ValidationError("--stage " + stage + " needs --out");
  if ((stage == "logits" || stage == "cross") && tokens.empty()) throw CLI::ValidationError("--stage " + stage + " needs --tokens");
  if (translate) options.task = runtime::Task::translate;
  options.timestamps = !no_timestamps;
  options.suppress_blank = !keep_blank;
  options.offset /= 10;
  options.duration /= 10;
  if (stage == "segments") options.temperatures = {0};
  options.words = !heads.empty();
  for (const std::string& text : heads) {
    runtime::AlignmentHead& head = options.heads.emplace_back();
    if (std::sscanf(text.c_str(), "%zu:%zu", &head.layer, &head.head) != 2)
      throw CLI::ValidationError("--dtw needs LAYER:HEAD,...");
  }
  audio::Sound sound = read_sound(wav);
  const std::unique_ptr<runtime::Model> loaded = model.load();
  runtime::Workspace workspace(*loaded);
  if (stage == "mel") return write_mel(workspace, sound);
  if (writes) return write_network(workspace, sound);
  transcribe(workspace, std::move(sound));
}

}  // namespace

void add_transcribe(CLI::App& program) {
  auto* command = program.add_subcommand("transcribe", "Prints what is said in a sound");
  auto transcribe = std::make_shared<Transcribe>();
  runtime::TranscribeOptions& options = transcribe->options;
  transcribe->model.add_to(*command, "MODEL", "A Whisper model in whisper.cpp's format");
  command->add_option("--wav", transcribe->wav, "A WAV file")->required()->option_text("FILE");
  command->add_option("--language", options.language, "The code of the language, or auto")->option_text("CODE");
  command->add_flag("--translate", transcribe->translate, "Translate to English");
  command->add_flag("--no-timestamps", transcribe->no_timestamps, "Without times of segments");
  command->add_flag("--single-segment", options.single_segment, "One segment for each window of 30 seconds");
  command->add_option("--initial-prompt", options.prompt, "A text that is taken for what has been said before")
      ->option_text("TEXT");
  command->add_flag("--suppress-nst", options.suppress_non_speech, "Without symbols for other sounds than speech");
  command->add_flag("--no-suppress-blank", transcribe->keep_blank, "Windows may begin with a space or be empty");
  command->add_option("--max-tokens", options.max_tokens, "The most tokens of a segment; 0: no limit")->option_text("N");
  command->add_option("--temperature", options.temperatures, "Tried in turn, until a window's text is plausible")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->option_text("N,...");
  command->add_option("--offset", options.offset, "Where to begin, in milliseconds")->option_text("MS");
  command->add_option("--duration", options.duration, "How much to transcribe, in milliseconds; 0: all")->option_text("MS");
  command->add_option("--audio-ctx", options.audio_positions, "Positions of the tower; 0: all")->option_text("N");
  command->add_option("--dtw", transcribe->heads, "Heads by which to find the times of tokens")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->option_text("LAYER:HEAD,...");
  command
      ->add_option(
          "--stage", transcribe->stage,
          "Mel: bands x frames. Encoder, logits, cross: of the window at --seek. Segments: everything, at temperature 0, as JSON")
      ->check(CLI::IsMember({"text", "segments", "mel", "encoder", "logits", "cross"}))
      ->option_text("text|segments|mel|encoder|logits|cross");
  command->add_option("--seek", transcribe->seek, "The first frame of the window")->option_text("N");
  command->add_option("--tokens", transcribe->tokens, "Token ids for the decoder")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->option_text("ID,...");
  command->add_option("--out", transcribe->out, "File to write")->option_text("FILE");
  command->callback([transcribe] { (*transcribe)(); });
}

}  // namespace heed::cli

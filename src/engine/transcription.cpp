#include "engine/transcription.hpp"

#include <memory>
#include <utility>

#include "audio/resample.hpp"
#include "engine/interrupted.hpp"

namespace heed::engine {
namespace {

/// The spectrogram of a sound, whose samples are then no longer needed.
std::unique_ptr<const audio::MelSpectrogram> listen(runtime::Workspace& workspace, audio::Sound sound) {
  const runtime::AudioRun run(workspace);
  ThreadPool& pool = workspace.model().pool();
  audio::check_sound(sound);
  if (sound.rate != audio::kRate) sound.samples = audio::resample(sound.samples, sound.rate, audio::kRate, pool);
  return std::make_unique<audio::MelSpectrogram>(run.mel(), sound.samples, pool);
}

}  // namespace

Transcription::Transcription(runtime::Workspace& workspace, audio::Sound sound, runtime::TranscribeOptions options)
    : transcriber_(workspace, listen(workspace, std::move(sound)), std::move(options)) {}

std::optional<std::vector<runtime::TranscribedSegment>> Transcription::step() {
  auto segments = transcriber_.step();
  interrupted(transcriber_.workspace(), !segments);
  return segments;
}

}  // namespace heed::engine

#include "runtime/audio_run.hpp"

#include <vector>

#include "base/error.hpp"
#include "nn/audio_encoder.hpp"

namespace heed::runtime {
namespace {

const nn::AudioEncoder& audio_of(const Workspace& workspace) {
  if (const nn::AudioEncoder* audio = workspace.model().audio()) return *audio;
  throw Error(ErrorCode::unsupported, "does not transcribe sounds", workspace.model().info().architecture);
}

}  // namespace

AudioRun::AudioRun(Workspace& workspace) : workspace_(workspace) { audio_of(workspace); }

const audio::MelSpec& AudioRun::mel() const noexcept { return audio_of(workspace_).spec().mel; }

std::size_t AudioRun::most_positions() const noexcept { return audio_of(workspace_).spec().positions; }

bool AudioRun::operator()(const audio::MelSpectrogram& mel, std::size_t first, std::size_t positions) {
  const nn::AudioEncoder& audio = audio_of(workspace_);
  std::vector<float> frames(2 * positions * mel.bands());
  mel.copy(first, 2 * positions, frames.data());

  nn::KvCache cache(*workspace_.encoder_caches());
  cache.make_room(positions);
  nn::Segment segment{.cache = cache, .count = positions};
  nn::Pass pass = workspace_.make_pass({&segment, 1}, positions);
  values_ = positions * audio.spec().stack.width;
  return workspace_.run(positions, [&] { return audio.forward(frames.data(), pass, workspace_.hidden().data()); });
}

}  // namespace heed::runtime

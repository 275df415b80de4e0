// Any bytes as a WAV file: an Error, or samples that become a spectrogram of finite numbers, which is computed for some of the files.
#include <cmath>
#include <cstdlib>

#include "audio/mel.hpp"
#include "audio/resample.hpp"
#include "audio/wav.hpp"
#include "base/error.hpp"
#include "base/thread_pool.hpp"
#include "fuzz/chosen.hpp"

using namespace heed;

namespace {

constexpr std::uint64_t kHeard = 16, kResampled = 512;  // one of so many: they take about so many times as long
constexpr std::size_t kMostSamples = 200;               // that are worth the time

const audio::MelSpec& bands() {
  static const audio::MelSpec spec = [] {
    audio::MelSpec made{8, std::vector<float>(8 * audio::kBins)};
    for (std::size_t i = 0; i < made.filters.size(); ++i)
      if (i % audio::kBins / 25 == i / audio::kBins) made.filters[i] = 0.02f;
    return made;
  }();
  return spec;
}

void require(bool held) {
  if (!held) std::abort();
}

void read(std::span<const std::uint8_t> input) {
  static ThreadPool pool(1);
  audio::Sound sound = audio::read_wav(std::as_bytes(input));
  require(sound.samples.size() <= input.size());
  audio::check_sound(sound);
  const auto wanted = [&](std::uint64_t of) { return test::is_chosen(input, of); };
  if (!wanted(sound.rate == audio::kRate ? kHeard : kResampled) || sound.samples.size() > kMostSamples ||
      sound.samples.size() * audio::kRate / sound.rate > kMostSamples)
    return;
  const std::vector<float> samples = audio::resample(sound.samples, sound.rate, audio::kRate, pool);
  for (const float sample : samples) require(std::isfinite(sample));
  const audio::MelSpectrogram spectrogram(bands(), samples, pool);
  require(spectrogram.sound_frames() <= spectrogram.frames());
  std::vector<float> rows(spectrogram.bands() * 16);
  for (const std::size_t first : {std::size_t{0}, spectrogram.sound_frames(), spectrogram.frames() - 1, spectrogram.frames()}) {
    spectrogram.copy(first, 16, rows.data());
    for (const float value : rows) require(std::isfinite(value));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    read({data, size});
  } catch (const Error& error) {
    if (error.message().empty()) std::abort();
  }
  return 0;
}

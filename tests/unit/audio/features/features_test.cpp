// What audio towers read of sounds: the lengths of chunks, and the spectra against their definition.
#include "audio/features/features.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <numbers>
#include <string>

#include "audio/features/mel_filters.hpp"
#include "base/thread_pool.hpp"
#include "unit/models/family_values.hpp"

using namespace heed;
using namespace heed::audio;

namespace {

FeatureSpec spec_of_type(const std::string& type) { return test::projector_spec_of(test::hearing_values(type)).hearing->features; }

std::vector<float> tone(double frequency, std::size_t count) {
  std::vector<float> samples(count);
  for (std::size_t i = 0; i < count; ++i)
    samples[i] = static_cast<float>(0.5 * std::sin(2 * std::numbers::pi * frequency * static_cast<double>(i) / 16000));
  return samples;
}

using Frames = std::vector<std::size_t>;

}  // namespace

TEST_CASE("a sound is cut into the chunks of its family", "[audio][hearing]") {
  const auto frames = [](const std::string& type, std::size_t samples) { return chunk_frames(spec_of_type(type), samples); };
  for (const std::string type : {"ultravox", "qwen2a", "voxtral"}) {
    CHECK(frames(type, 1) == Frames{3000});
    CHECK(frames(type, 479839) == Frames{3000});
    CHECK(frames(type, 479840) == Frames{3000, 3000});
    CHECK(frames(type, 976000) == Frames{3000, 3000, 3000});
  }
  CHECK(frames("qwen3a", 15999) == Frames{100});
  CHECK(frames("qwen3a", 16000) == Frames{200});
  CHECK(frames("qwen3a", 480000) == Frames{800, 800, 800, 700});
  CHECK(frames("gemma4a", 1).empty());
  CHECK(frames("gemma4a", 100) == Frames{1});
  CHECK(frames("gemma4a", 480000) == Frames{2999});
  CHECK(frames("gemma4a", 480160) == Frames{2999, 1});
  CHECK(frames("gemma4ua", 33) == Frames{3});  // of 16 samples
  CHECK(frames("lfm2a", 319).empty());
  CHECK(frames("lfm2a", 320) == Frames{3});
  CHECK(frames("parakeet", 100) == Frames{1});
  CHECK(frames("granite_speech", 159).empty());
  CHECK(frames("granite_speech", 640) == Frames{2});
  CHECK(frames("granite_speech", 800) == Frames{3});
  for (const std::string type : test::kHearingTypes) CHECK(frames(type, 0).empty());
}

TEST_CASE("features are as long as their chunks say, and the same on any number of threads", "[audio][hearing]") {
  ThreadPool one(1), three(3);
  for (const std::string type : test::kHearingTypes) {
    if (type == "parakeet") continue;  // its filters come with the file
    INFO(type);
    const FeatureSpec spec = spec_of_type(type);
    const FeatureMaker maker(spec);
    for (const std::size_t samples : {330u, 1600u, 16000u, 20001u}) {
      const Features features = maker(tone(440, samples), one), again = maker(tone(440, samples), three);
      const auto frames = chunk_frames(spec, samples);
      REQUIRE(features.chunks().size() == frames.size());
      for (std::size_t i = 0; i < frames.size(); ++i) {
        const std::vector<float> values = features.copy(i);
        CHECK(values.size() == frames[i] * spec.width());
        CHECK(values == again.copy(i));
        CHECK(std::ranges::all_of(values, [](float value) { return std::isfinite(value); }));
      }
    }
  }
}

TEST_CASE("bands are the logarithms of what their filters let through", "[audio][hearing]") {
  ThreadPool pool(1);
  FeatureSpec spec;
  spec.bands = 20;
  spec.transform = 512;
  spec.before = 256;
  spec.floor = 1e-9;
  const std::vector<float> samples = tone(1000, 4000);
  const Features features = FeatureMaker(spec)(samples, pool);
  const std::vector<float> filters = mel_filters(spec.scale, spec.bands, spec.transform), values = features.copy(0);
  const std::size_t frame = 10;
  std::vector<double> energies(spec.bands, 0.0);
  for (std::size_t k = 0; k <= 256; ++k) {
    double real = 0, imaginary = 0;
    for (std::size_t i = 0; i < 400; ++i) {
      const double x = 0.5 * (1 - std::cos(2 * std::numbers::pi * static_cast<double>(i) / 400)) *
                       static_cast<double>(samples[frame * 160 + i + 56 - 256]);
      const double angle = 2 * std::numbers::pi * static_cast<double>((i + 56) * k) / 512;
      real += x * std::cos(angle);
      imaginary -= x * std::sin(angle);
    }
    for (std::size_t b = 0; b < spec.bands; ++b)
      energies[b] += (real * real + imaginary * imaginary) * static_cast<double>(filters[b * 257 + k]);
  }
  for (std::size_t b = 0; b < spec.bands; ++b)
    CHECK(std::abs(static_cast<double>(values[frame * spec.bands + b]) - std::log(std::max(energies[b], 1e-9))) < 1e-4);
}

TEST_CASE("filters lie equidistantly on their scale, and Slaney's have the same area", "[audio][hearing]") {
  const auto area = [](const std::vector<float>& filters, std::size_t band) {
    double sum = 0;
    for (std::size_t k = 0; k <= 4096; ++k) sum += static_cast<double>(filters[band * 4097 + k]) * 16000 / 8192;
    return sum;
  };
  const std::vector<float> slaney = mel_filters(MelScale::slaney, 40, 8192), htk = mel_filters(MelScale::htk, 40, 8192);
  for (std::size_t b = 0; b < 40; ++b) CHECK(std::abs(area(slaney, b) - 1) < 1e-2);
  const auto center = [&](std::size_t band) {
    const auto begin = htk.begin() + static_cast<std::ptrdiff_t>(band * 4097);
    const double frequency = static_cast<double>(std::max_element(begin, begin + 4097) - begin) * 16000 / 8192;
    return 2595 * std::log10(1 + frequency / 700);
  };
  const double step = 2595 * std::log10(1 + 8000.0 / 700) / 41;
  for (std::size_t b = 0; b < 40; ++b) CHECK(std::abs(center(b) - step * static_cast<double>(b + 1)) < 3);
}

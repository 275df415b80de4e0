// The resampler: what it keeps, what it takes away, and when.
#include "audio/resample.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <numbers>

#include "base/thread_pool.hpp"
#include "support/errors.hpp"

using namespace heed;
using audio::resample;

namespace {

std::vector<float> tone(double frequency, std::size_t rate, std::size_t count) {
  std::vector<float> samples(count);
  for (std::size_t i = 0; i < count; ++i)
    samples[i] = static_cast<float>(
        std::sin(2 * std::numbers::pi * frequency * static_cast<double>(i) / static_cast<double>(rate)));
  return samples;
}

/// The largest difference from a tone, in decibels, away from both ends.
double difference(const std::vector<float>& samples, double frequency, double amplitude, std::size_t rate) {
  double most = 0;
  for (std::size_t i = samples.size() / 4; i < samples.size() * 3 / 4; ++i) {
    const double expected = amplitude *
                            std::sin(2 * std::numbers::pi * frequency * static_cast<double>(i) / static_cast<double>(rate));
    most = std::max(most, std::abs(static_cast<double>(samples[i]) - expected));
  }
  return 20 * std::log10(most + 1e-30);
}

}  // namespace

TEST_CASE("resampling keeps tones, without a delay", "[audio]") {
  ThreadPool pool(1);
  for (const std::size_t rate : {std::size_t{8000}, std::size_t{11025}, std::size_t{22050}, std::size_t{44100}, std::size_t{48000},
                                 std::size_t{96000}, std::size_t{12347}, std::size_t{44101}})
    for (const double part : {0.01, 0.3, 0.89}) {
      const double frequency = part * static_cast<double>(std::min<std::size_t>(rate, 16000)) / 2;
      INFO(rate << " Hz, a tone of " << frequency);
      CHECK(difference(resample(tone(frequency, rate, rate / 4), rate, 16000, pool), frequency, 1, 16000) < -85);
    }
}

TEST_CASE("resampling takes away what the new rate cannot hold: 90 dB", "[audio]") {
  ThreadPool pool(1);
  for (const std::size_t rate : {std::size_t{44100}, std::size_t{48000}, std::size_t{96000}, std::size_t{44101}})
    for (const double frequency : {8000.0, 8100.0, 10000.0, 15900.0, 20000.0}) {
      INFO(rate << " Hz, a tone of " << frequency);
      CHECK(difference(resample(tone(frequency, rate, rate / 4), rate, 16000, pool), 0, 0, 16000) < -90);
    }
}

TEST_CASE("the number of samples is rounded", "[audio]") {
  ThreadPool pool(1);
  CHECK(resample(std::vector<float>(13230), 44100, 16000, pool).size() == 4800);
  CHECK(resample(std::vector<float>(3308), 11025, 16000, pool).size() == 4801);
  CHECK(resample(std::vector<float>(1), 48000, 16000, pool).empty());
  CHECK(resample(std::vector<float>(2), 48000, 16000, pool).size() == 1);
  CHECK(resample(std::vector<float>(7), 16000, 16000, pool).size() == 7);
}

TEST_CASE("resampling does not depend on the number of threads", "[audio]") {
  ThreadPool one(1), three(3);
  const std::vector<float> samples = tone(440, 44100, 20000);
  CHECK(resample(samples, 44100, 16000, one) == resample(samples, 44100, 16000, three));
  CHECK(resample(samples, 44101, 16000, one) == resample(samples, 44101, 16000, three));
}

TEST_CASE("rates that no sound has are refused", "[audio]") {
  ThreadPool pool(1);
  for (const std::size_t rate : {std::size_t{0}, std::size_t{1}, std::size_t{999}, std::size_t{400001}, std::size_t{1000000}})
    test::check_throws(ErrorCode::invalid_argument, std::to_string(rate),
                       [&] { resample(std::vector<float>(9), rate, 16000, pool); });
}

// The spectrogram against the definition of its paper, in double and without a fast transform.
#include "audio/mel.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <numbers>

#include "audio/fourier.hpp"
#include "base/thread_pool.hpp"
#include "sampling/random.hpp"

using namespace heed;
using namespace heed::audio;

namespace {

std::vector<float> noise(std::size_t count, std::uint64_t seed = 1) {
  sampling::Random random(seed);
  std::vector<float> samples(count);
  for (float& sample : samples) sample = static_cast<float>(random.uniform() * 2 - 1);
  return samples;
}

/// Triangles, as files have them.
MelSpec triangles(std::size_t bands) {
  MelSpec spec{bands, std::vector<float>(bands * kBins)};
  for (std::size_t b = 0; b < bands; ++b)
    for (std::size_t k = 0; k < kBins; ++k) {
      const double center = 200.0 * static_cast<double>(b + 1) / static_cast<double>(bands + 1);
      spec.filters[b * kBins + k] = static_cast<float>(std::max(0.0, 1 - std::abs(static_cast<double>(k) - center) / 6));
    }
  return spec;
}

/// bands x frames, by the definition.
std::vector<double> naive(const MelSpec& spec, const std::vector<float>& samples) {
  const std::size_t frames = (samples.size() + 480000) / 160;
  std::vector<double> padded(200);
  for (std::size_t i = 0; i < 200; ++i) padded[i] = 200 - i < samples.size() ? static_cast<double>(samples[200 - i]) : 0;
  padded.insert(padded.end(), samples.begin(), samples.end());
  padded.resize(padded.size() + 480400);
  std::vector<double> values(spec.bands * frames, -10);
  for (std::size_t f = 0; f <= (samples.size() + 200) / 160 && f < frames; ++f) {
    std::vector<double> power(kBins);
    for (std::size_t k = 0; k < kBins; ++k) {
      double real = 0, imaginary = 0;
      for (std::size_t i = 0; i < 400; ++i) {
        const double angle = 2 * std::numbers::pi * static_cast<double>(i * k % 400) / 400;
        const double x = 0.5 * (1 - std::cos(2 * std::numbers::pi * static_cast<double>(i) / 400)) * padded[160 * f + i];
        real += x * std::cos(angle);
        imaginary -= x * std::sin(angle);
      }
      power[k] = real * real + imaginary * imaginary;
    }
    for (std::size_t b = 0; b < spec.bands; ++b) {
      double sum = 0;
      for (std::size_t k = 0; k < kBins; ++k) sum += power[k] * static_cast<double>(spec.filters[b * kBins + k]);
      values[b * frames + f] = std::log10(std::max(sum, 1e-10));
    }
  }
  const double most = *std::ranges::max_element(values);
  for (double& value : values) value = (std::max(value, most - 8) + 4) / 4;
  return values;
}

}  // namespace

TEST_CASE("a Fourier transform equals the definition", "[audio]") {
  for (const std::size_t size :
       {std::size_t{1}, std::size_t{2}, std::size_t{12}, std::size_t{45}, std::size_t{400}, std::size_t{512}}) {
    INFO(size);
    const std::vector<float> x = noise(4 * size, size);
    std::vector<Complex> in(size), out(size);
    for (std::size_t i = 0; i < size; ++i)
      for (std::size_t side = 0; side < 2; ++side) {
        in[i].real[side] = static_cast<double>(x[4 * i + side]);
        in[i].imaginary[side] = static_cast<double>(x[4 * i + 2 + side]);
      }
    Fourier{size}(in.data(), out.data());
    for (std::size_t side = 0; side < 2; ++side)
      for (std::size_t k = 0; k < size; ++k) {
        double real = 0, imaginary = 0;
        for (std::size_t i = 0; i < size; ++i) {
          const double angle = 2 * std::numbers::pi * static_cast<double>(i * k % size) / static_cast<double>(size);
          real += in[i].real[side] * std::cos(angle) + in[i].imaginary[side] * std::sin(angle);
          imaginary += in[i].imaginary[side] * std::cos(angle) - in[i].real[side] * std::sin(angle);
        }
        CHECK(std::abs(out[k].real[side] - real) < 1e-11);
        CHECK(std::abs(out[k].imaginary[side] - imaginary) < 1e-11);
      }
  }
}

TEST_CASE("a spectrogram equals the definition", "[audio]") {
  const MelSpec spec = triangles(80);
  ThreadPool pool(1);
  for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{41}, std::size_t{200}, std::size_t{3333}}) {
    INFO(count);
    const std::vector<float> samples = noise(count);
    const MelSpectrogram mel(spec, samples, pool);
    const std::vector<double> expected = naive(spec, samples);
    REQUIRE(mel.frames() == expected.size() / spec.bands);
    std::vector<float> frames(mel.frames() * spec.bands);
    mel.copy(0, mel.frames(), frames.data());
    double most = 0;
    for (std::size_t f = 0; f < mel.frames(); ++f)
      for (std::size_t b = 0; b < spec.bands; ++b)
        most = std::max(most, std::abs(static_cast<double>(frames[f * spec.bands + b]) - expected[b * mel.frames() + f]));
    CHECK(most < 1e-6);
  }
}

TEST_CASE("what lies beyond a spectrogram is zero, and silence is -1.5", "[audio]") {
  ThreadPool pool(1);
  const MelSpectrogram mel(triangles(4), std::vector<float>(), pool);
  std::vector<float> frames(2 * 4);
  mel.copy(mel.frames() - 1, 2, frames.data());
  CHECK(frames == std::vector<float>{-1.5f, -1.5f, -1.5f, -1.5f, 0, 0, 0, 0});
}

TEST_CASE("the length of a sound in frames", "[audio]") {
  ThreadPool pool(1);
  const auto frames = [&](std::size_t count) {
    return MelSpectrogram(triangles(1), std::vector<float>(count), pool).sound_frames();
  };
  // 1 + (samples - 200) / 160, rounded towards zero
  CHECK(frames(0) == 0);
  CHECK(frames(40) == 0);
  CHECK(frames(41) == 1);
  CHECK(frames(359) == 1);
  CHECK(frames(360) == 2);
  CHECK(frames(16000) == 99);
}

TEST_CASE("a spectrogram does not depend on the number of threads", "[audio]") {
  const MelSpec spec = triangles(16);
  const std::vector<float> samples = noise(9000);
  ThreadPool one(1), three(3);
  std::vector<float> a(100 * 16), b(a.size());
  MelSpectrogram(spec, samples, one).copy(0, 100, a.data());
  MelSpectrogram(spec, samples, three).copy(0, 100, b.data());
  CHECK(a == b);
}

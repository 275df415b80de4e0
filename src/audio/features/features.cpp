#include "audio/features/features.hpp"

#include <algorithm>
#include <cmath>

#include "audio/features/mel_filters.hpp"
#include "audio/fourier.hpp"
#include "base/deterministic_math.hpp"
#include "base/thread_pool.hpp"

namespace heed::audio {
namespace {

constexpr double kDecades = 8;             // decades below the loudest value that count
constexpr std::size_t kFramesAtATime = 8;  // frames per piece of a thread's work

/// The number of frames in a piece of this many samples.
std::size_t frames_of(const FeatureSpec& spec, std::size_t samples) {
  if (spec.transform == 0) return (samples + spec.bands - 1) / spec.bands;
  const std::size_t read = samples + spec.silence;
  if (read >= spec.needed) return (read - spec.needed) / kHop + 1;
  return spec.needed - read < kHop ? 1 : 0;  // as in libmtmd, where division rounds toward 0
}

/// Calls use(begin, samples, frames) for each piece of a sound.
template <class Use>
void for_each_piece(const FeatureSpec& spec, std::size_t samples, const Use& use) {
  const std::size_t piece = spec.piece == 0 ? std::max<std::size_t>(samples, 1) : spec.piece;
  for (std::size_t begin = 0; begin < samples; begin += piece) {
    const std::size_t count = std::min(piece, samples - begin);
    use(begin, count, frames_of(spec, count));
  }
}

/// Appends the chunks of a piece, which has `frames` frames from `first` on.
void add_chunks(const FeatureSpec& spec, std::size_t first, std::size_t frames, std::vector<Features::Chunk>& chunks) {
  const std::size_t chunk = spec.chunk == 0 ? std::max<std::size_t>(frames, 1) : spec.chunk;
  for (std::size_t begin = 0; begin < frames; begin += chunk) {
    const std::size_t stored = std::min(chunk, frames - begin);
    if (stored < chunk && spec.whole_chunks) break;
    chunks.push_back({first + begin, stored, (stored + spec.unit - 1) / spec.unit * spec.unit});
  }
}

/// The samples of a sound, and what is read beyond its ends.
class Extended {
 public:
  Extended(const FeatureSpec& spec, std::span<const float> samples) : spec_(spec), samples_(samples) {}

  double operator[](std::ptrdiff_t at) const noexcept {
    const auto count = static_cast<std::ptrdiff_t>(samples_.size());
    if (at >= 0 && at < count) return inside(static_cast<std::size_t>(at));
    const Beyond beyond = at < 0 ? spec_.front : spec_.back;
    if (beyond == Beyond::zeros) return 0;
    const std::ptrdiff_t other = at < 0 ? -at : 2 * (count - 1) - at;
    if (other >= 0 && other < count) return inside(static_cast<std::size_t>(other));
    if (beyond == Beyond::mirrored) return 0;
    return inside(at < 0 ? samples_.size() - 1 : 0);
  }

 private:
  double inside(std::size_t at) const noexcept {
    const double sample = static_cast<double>(samples_[at]);
    return at == 0 || spec_.pre_emphasis == 0 ? sample : sample - spec_.pre_emphasis * static_cast<double>(samples_[at - 1]);
  }

  const FeatureSpec& spec_;
  std::span<const float> samples_;
};

std::vector<float> hann(std::size_t length, bool symmetric) {
  constexpr double kTurn = 0x1.921fb54442d18p+2;
  std::vector<float> window(length);
  const double period = static_cast<double>(symmetric ? length - 1 : length);
  for (std::size_t i = 0; i < length; ++i)
    window[i] = static_cast<float>(0.5 * (1 - deterministic_sine_cosine(kTurn * static_cast<double>(i) / period).cosine));
  return window;
}

}  // namespace

std::vector<std::size_t> chunk_frames(const FeatureSpec& spec, std::size_t samples) {
  std::vector<Features::Chunk> chunks;
  if (samples >= spec.least)
    for_each_piece(spec, samples,
                   [&](std::size_t, std::size_t, std::size_t frames) { add_chunks(spec, 0, frames / spec.joined, chunks); });
  std::vector<std::size_t> frames;
  frames.reserve(chunks.size());
  for (const Features::Chunk& chunk : chunks) frames.push_back(chunk.frames);
  return frames;
}

std::vector<float> Features::copy(std::size_t chunk) const {
  const auto& [first, stored, frames] = chunks_[chunk];
  std::vector<float> values(frames * width_);
  std::copy_n(values_.data() + first * width_, stored * width_, values.data());
  return values;
}

FeatureMaker::FeatureMaker(const FeatureSpec& spec, std::span<const float> window, std::span<const float> filters) : spec_(spec) {
  if (spec.transform == 0) return;
  window_ = spec.given ? std::vector(window.begin(), window.end()) : hann(spec.window, spec.symmetric);
  filters_ = {spec.given ? std::vector(filters.begin(), filters.end()) : mel_filters(spec.scale, spec.bands, spec.transform),
              spec.bands, spec.transform / 2 + 1};
}

Features FeatureMaker::operator()(std::span<const float> samples, ThreadPool& pool) const {
  std::size_t all = 0;
  for_each_piece(spec_, samples.size(), [&](std::size_t, std::size_t, std::size_t frames) { all += frames; });
  std::vector<float> values(all * spec_.bands);
  std::vector<Features::Chunk> chunks;
  std::size_t first = 0;  // index of the piece's first joined frame
  for_each_piece(spec_, samples.size(), [&](std::size_t begin, std::size_t count, std::size_t frames) {
    float* const out = values.data() + first * spec_.width();
    const std::span<const float> piece = samples.subspan(begin, count);
    if (spec_.transform == 0) cut(piece, frames, out);
    else transform(piece, frames, out, pool);
    level(count / kHop, frames, out);
    add_chunks(spec_, first, frames / spec_.joined, chunks);
    first += frames / spec_.joined;
  });
  return {spec_.width(), std::move(values), std::move(chunks)};
}

void FeatureMaker::cut(std::span<const float> samples, std::size_t frames, float* out) const noexcept {
  std::fill(std::copy(samples.begin(), samples.end(), out), out + frames * spec_.bands, 0.0f);
}

double FeatureMaker::logarithm(double energy) const noexcept {
  const double raised = deterministic_log(spec_.adds_floor ? energy + spec_.floor : std::max(energy, spec_.floor));
  return spec_.levels == Levels::decades ? raised / deterministic_log(10.0) : raised;
}

void FeatureMaker::transform(std::span<const float> samples, std::size_t frames, float* out, ThreadPool& pool) const {
  const Fourier fourier(spec_.transform);
  const Extended sound(spec_, samples);
  const std::size_t skipped = spec_.window_first ? 0 : (spec_.transform - spec_.window) / 2;
  // All frames that only silence reaches are equal.
  const std::size_t heard = std::min(frames, (samples.size() + spec_.before) / kHop + 1);
  std::fill(out + heard * spec_.bands, out + frames * spec_.bands, static_cast<float>(logarithm(0)));
  pool.parallel_for(heard, kFramesAtATime, [&](std::size_t begin, std::size_t end, std::size_t) noexcept {
    const auto sample = [&](std::size_t frame, std::size_t i) {
      const auto start = static_cast<std::ptrdiff_t>(frame * kHop + skipped) - static_cast<std::ptrdiff_t>(spec_.before);
      return static_cast<double>(window_[i]) * sound[start + static_cast<std::ptrdiff_t>(i)];
    };
    const auto use = [&](std::size_t frame, std::span<double> energy) {
      if (spec_.magnitude)
        for (double& value : energy) value = std::sqrt(value);
      for (std::size_t b = 0; b < spec_.bands; ++b)
        out[frame * spec_.bands + b] = static_cast<float>(logarithm(filters_.sum(b, energy.data())));
    };
    for_each_spectrum<FeatureSpec::kMostTransform>(fourier, begin, end, skipped, spec_.window, sample, use);
  });
}

void FeatureMaker::level(std::size_t hops, std::size_t frames, float* values) const noexcept {
  const std::size_t count = frames * spec_.bands;
  if (count == 0 || spec_.levels == Levels::plain || spec_.transform == 0) return;
  if (spec_.levels == Levels::decades) {
    const double floor = static_cast<double>(*std::max_element(values, values + count)) - kDecades;
    for (std::size_t i = 0; i < count; ++i)
      values[i] = static_cast<float>((std::max(static_cast<double>(values[i]), floor) + 4) / 4);
    return;
  }
  const std::size_t whole = std::clamp<std::size_t>(hops, 1, frames);
  for (std::size_t b = 0; b < spec_.bands; ++b) {
    double sum = 0, squares = 0;
    for (std::size_t f = 0; f < whole; ++f) sum += static_cast<double>(values[f * spec_.bands + b]);
    const double mean = sum / static_cast<double>(whole);
    for (std::size_t f = 0; f < whole; ++f) {
      const double away = static_cast<double>(values[f * spec_.bands + b]) - mean;
      squares += away * away;
    }
    const double deviation = std::sqrt(squares / static_cast<double>(std::max<std::size_t>(whole - 1, 1))) + 1e-5;
    for (std::size_t f = 0; f < frames; ++f) {
      float& value = values[f * spec_.bands + b];
      value = f < whole || spec_.keeps_last ? static_cast<float>((static_cast<double>(value) - mean) / deviation) : 0.0f;
    }
  }
}

}  // namespace heed::audio

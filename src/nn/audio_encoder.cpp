#include "nn/audio_encoder.hpp"

#include <algorithm>
#include <string>

#include "nn/mlp.hpp"

namespace heed::nn {
namespace {

constexpr std::size_t kTaps = 3;
constexpr std::size_t kRows = 64;               // positions convolved at a time
constexpr std::size_t kLayerRows = 256;         // positions that run through a layer at a time
constexpr std::size_t kBefore = 2 * kRows + 1;  // rows of the first convolution's output that kRows positions read

/// Row t of `in`, or nullptr for one of the zeros around it.
const float* row(const float* in, std::ptrdiff_t t, std::size_t rows, std::size_t width) noexcept {
  return t < 0 || t >= static_cast<std::ptrdiff_t>(rows) ? nullptr : in + static_cast<std::size_t>(t) * width;
}

/// Writes three consecutive rows in the order of a convolution's kernel: channel by channel.
void gather(const float* const (&rows)[kTaps], std::size_t width, float* out) noexcept {
  for (std::size_t tap = 0; tap < kTaps; ++tap)
    for (std::size_t c = 0; c < width; ++c) out[c * kTaps + tap] = rows[tap] ? rows[tap][c] : 0.0f;
}

}  // namespace

AudioEncoder::AudioEncoder(const AudioSpec& spec, Weights& weights) : spec_(spec), stack_(spec.stack, spec.positions, weights) {
  const std::string prefix(spec.stack.prefix);
  const std::size_t width = spec.stack.width;
  first_ = weights.linear(prefix + "conv1d.1", width, kTaps * spec.mel.bands, true);
  second_ = weights.linear(prefix + "conv1d.2", width, kTaps * width, true);
  positions_ = weights.table(prefix + "position_embd.weight", spec.positions, width);
}

ScratchNeed AudioEncoder::need(const AudioSpec& spec, const PassLimits& limits) {
  const std::size_t width = spec.stack.width, most = std::max(spec.mel.bands, width);
  ScratchNeed convolving;
  convolving.allocate<float>(kBefore * kTaps * most).allocate<float>(kBefore * width);
  convolving.product(kBefore, kTaps * spec.mel.bands).product(kRows, kTaps * width);
  PassLimits some = limits;
  some.tokens = std::min<std::uint64_t>(limits.tokens, kLayerRows);
  return convolving.either(Stack::need(spec.stack, some));
}

/// Convolves a few positions at a time, so that only their rows of the first convolution's output are in memory.
void AudioEncoder::convolve(const float* frames, Pass& pass, float* hidden) const noexcept {
  const Scratch::Scope scope(pass.scratch);
  const std::size_t width = spec_.stack.width, bands = spec_.mel.bands, count = 2 * pass.tokens;
  float* const patches = pass.scratch.allocate<float>(kBefore * kTaps * std::max(bands, width));
  float* const middle = pass.scratch.allocate<float>(kBefore * width);
  for (std::size_t begin = 0; begin < pass.tokens; begin += kRows) {
    const std::size_t rows = std::min(kRows, pass.tokens - begin);
    // The second convolution reads the rows 2 begin - 1 to 2 (begin + rows) - 1 of the first.
    const std::size_t from = begin == 0 ? 0 : 2 * begin - 1, before = 2 * (begin + rows) - from;
    pass.pool.parallel_for(before, 8, [&](std::size_t first, std::size_t last, std::size_t) noexcept {
      for (std::size_t i = first; i < last; ++i) {
        const auto t = static_cast<std::ptrdiff_t>(from + i);
        gather({row(frames, t - 1, count, bands), row(frames, t, count, bands), row(frames, t + 1, count, bands)}, bands,
               patches + i * kTaps * bands);
      }
    });
    project(patches, before, {{&first_, middle}}, pass);
    activate(spec_.activation, middle, nullptr, before * width, pass);
    pass.pool.parallel_for(rows, 8, [&](std::size_t first, std::size_t last, std::size_t) noexcept {
      for (std::size_t i = first; i < last; ++i) {
        const auto t = static_cast<std::ptrdiff_t>(2 * (begin + i)) - static_cast<std::ptrdiff_t>(from);
        gather({row(middle, t - 1, before, width), row(middle, t, before, width), row(middle, t + 1, before, width)}, width,
               patches + i * kTaps * width);
      }
    });
    float* const out = hidden + begin * width;
    project(patches, rows, {{&second_, out}}, pass);
    activate(spec_.activation, out, nullptr, rows * width, pass);
    pass.kernels.add(out, positions_.data() + begin * width, rows * width);
  }
}

/// Each sublayer first stores the keys and values of all positions, then computes its output: both for a few positions at a time,
/// so that only their activations are in memory.
bool AudioEncoder::run_layers(Activations x, Pass& pass) const noexcept {
  const Scratch::Scope scope(pass.scratch);
  KvCache& cache = pass.segments[0].cache;
  Segment segment{.cache = cache, .cross_cache = &cache, .encoder_positions = x.tokens};
  Pass part = pass;
  part.segments = {&segment, 1};
  stack_.prepare(part);
  const auto for_parts = [&](auto run) noexcept {
    for (segment.position = 0; segment.position < x.tokens; segment.position += kLayerRows) {
      segment.count = part.tokens = std::min(kLayerRows, x.tokens - segment.position);
      run(Activations{x.data + segment.position * x.width, part.tokens, x.width});
    }
  };
  for (part.layer = 0; part.layer < stack_.depth(); ++part.layer) {
    if (pass.canceled()) return false;
    for (const Sublayer& sublayer : stack_.layer(part.layer).sublayers()) {
      for_parts([&](Activations rows) noexcept { sublayer.remember(rows, part); });
      for_parts([&](Activations rows) noexcept { sublayer.recall(rows, part); });
    }
  }
  return true;
}

bool AudioEncoder::forward(const float* frames, Pass& pass, float* hidden) const noexcept {
  convolve(frames, pass, hidden);
  const Activations x{hidden, pass.tokens, spec_.stack.width};
  if (!run_layers(x, pass)) return false;
  stack_.finish(x, pass);
  return true;
}

}  // namespace heed::nn

#include "nn/hearing/stem.hpp"

#include <algorithm>

#include "nn/mlp.hpp"

namespace heed::nn {
namespace {

constexpr std::size_t kSlab = 16;     // rows computed at a time, so that only their frames are in memory
constexpr std::size_t kPlaces = 256;  // output places per product
constexpr std::size_t kStemTaps = 9;  // 3 x 3

std::size_t halved(std::size_t n) noexcept { return (n + 1) / 2; }

}  // namespace

Stem::Stem(const StemSpec& spec, std::size_t frame, std::size_t width, const std::string& prefix, Weights& weights)
    : spec_(spec), frame_(frame), width_(width) {
  Shape shape{frame, 1};
  for (const StemConvolution& one : spec.convolutions) {
    const std::string name = prefix + std::string(one.name);
    Convolution& made = convolutions_.emplace_back();
    made.spec = one;
    made.in = shape;
    if (one.kind == StemConvolution::Kind::by_channel) {
      made.taps = weights.table(name + ".weight", shape.channels, kStemTaps, RowOrder::by_part(shape.channels, kStemTaps, {1}));
      made.bias = weights.optional_vector(name + ".bias", shape.channels);
    } else {
      const std::size_t channels = std::max<std::size_t>(weights.outputs(name + ".weight"), 1);
      made.matrix = weights.linear(name, channels, shape.channels * (made.halves() ? kStemTaps : 1));
      shape.channels = channels;
    }
    if (made.halves()) shape.bands = halved(shape.bands);
    made.out = shape;
    if (one.normed) made.norm.emplace(NormSpec{NormKind::layer, 1e-6f}, shape.channels, name + ".norm", weights);
  }
  out_ = weights.linear(prefix + std::string(spec.out), width, shape.values());
  if (!spec.positions.empty())
    positions_ = weights.table(prefix + std::string(spec.positions) + ".weight", block_rows(spec.block), width);
}

std::size_t Stem::block_rows(std::size_t frames) const noexcept {
  for (const Convolution& convolution : convolutions_)
    if (convolution.halves()) frames = halved(frames);
  return frames;
}

std::size_t Stem::rows(std::size_t frames) const noexcept {
  if (spec_.block == 0) return block_rows(frames);
  return frames / spec_.block * block_rows(spec_.block) + block_rows(frames % spec_.block);
}

std::size_t Stem::most_values() const noexcept {
  std::size_t rows = kSlab, most = 0;
  for (auto convolution = convolutions_.rbegin(); convolution != convolutions_.rend(); ++convolution) {
    most = std::max(most, rows * convolution->out.values());
    if (convolution->halves()) rows = 2 * rows + 1;
  }
  return most;
}

ScratchNeed Stem::need(std::size_t frames) const {
  ScratchNeed inner;
  std::size_t columns = 1;
  for (const Convolution& convolution : convolutions_) {
    columns = std::max(columns, convolution.in.channels * kStemTaps);
    inner.product(kPlaces, convolution.in.channels * kStemTaps);
  }
  const std::size_t joined = convolutions_.empty() ? frame_ : convolutions_.back().out.values();
  inner.product(convolutions_.empty() ? frames : kSlab, joined);
  return ScratchNeed()
      .allocate<float>(most_values())
      .allocate<float>(most_values())
      .allocate<float>(kSlab * joined)
      .with(inner.allocate<float>(kPlaces * columns));
}

void Stem::operator()(const float* frames, std::size_t count, float* out, Pass& pass) const noexcept {
  const std::size_t block = spec_.block == 0 ? count : spec_.block;
  for (std::size_t begin = 0; begin < count; begin += block) {
    const std::size_t frames_of_block = std::min(block, count - begin), rows = block_rows(frames_of_block);
    run_block(frames + begin * frame_, frames_of_block, out, pass);
    if (!positions_.empty()) pass.kernels.add(out, positions_.data(), rows * width_);
    out += rows * width_;
  }
}

void Stem::run_block(const float* frames, std::size_t count, float* out, Pass& pass) const noexcept {
  if (convolutions_.empty()) return project(frames, count, {{&out_, out}}, pass);
  const Scratch::Scope scope(pass.scratch);
  float *next = pass.scratch.allocate<float>(most_values()), *other = pass.scratch.allocate<float>(most_values());
  const Shape shape = convolutions_.back().out;
  float* const joined = pass.scratch.allocate<float>(kSlab * shape.values());
  const std::size_t rows = block_rows(count);
  for (std::size_t begin = 0; begin < rows; begin += kSlab) {
    const std::size_t end = std::min(begin + kSlab, rows);
    Part in{frames, 0, count, count};
    for (std::size_t i = 0; i < convolutions_.size(); ++i) {
      // The frames that the later convolutions read.
      const std::size_t made = convolutions_[i].halves() ? halved(in.frames) : in.frames;
      std::size_t first = begin, last = end, left = 0;
      for (std::size_t j = i + 1; j < convolutions_.size(); ++j) left += convolutions_[j].halves() ? 1 : 0;
      for (; left > 0; --left) {
        first = first == 0 ? 0 : 2 * first - 1;
        last = 2 * last;
      }
      last = std::min(last, made);
      if (convolutions_[i].spec.kind == StemConvolution::Kind::by_channel)
        convolve_channels(convolutions_[i], in, first, last, next, pass);
      else convolve(convolutions_[i], in, first, last, next, pass);
      in = {next, first, last, made};
      std::swap(next, other);
    }
    for (std::size_t t = 0; t < end - begin; ++t)
      for (std::size_t band = 0; band < shape.bands; ++band)
        for (std::size_t c = 0; c < shape.channels; ++c)
          joined[t * shape.values() + (spec_.band_first ? band * shape.channels + c : c * shape.bands + band)] =
              in.data[(t * shape.bands + band) * shape.channels + c];
    project(joined, end - begin, {{&out_, out + begin * width_}}, pass);
  }
}

/// Copies the inputs of one output place, channel by channel, to `patch`.
void Stem::gather(const Convolution& convolution, const Part& in, std::size_t t, std::size_t band, float* patch) const noexcept {
  const Shape& shape = convolution.in;
  if (!convolution.halves()) {
    std::copy_n(in.row(static_cast<std::ptrdiff_t>(t), shape.values()) + band * shape.channels, shape.channels, patch);
    return;
  }
  for (std::size_t dt = 0; dt < 3; ++dt) {
    const float* const row = in.row(static_cast<std::ptrdiff_t>(2 * t + dt) - 1, shape.values());
    for (std::size_t db = 0; db < 3; ++db) {
      const std::size_t from = 2 * band + db;  // one more than the band
      const bool inside = row && from > 0 && from <= shape.bands;
      const std::size_t tap = spec_.time_last ? db * 3 + dt : dt * 3 + db;
      for (std::size_t c = 0; c < shape.channels; ++c)
        patch[c * kStemTaps + tap] = inside ? row[(from - 1) * shape.channels + c] : 0.0f;
    }
  }
}

void Stem::convolve(const Convolution& convolution, const Part& in, std::size_t first, std::size_t end, float* out,
                    Pass& pass) const noexcept {
  const Scratch::Scope scope(pass.scratch);
  const std::size_t bands = convolution.out.bands, channels = convolution.out.channels;
  const std::size_t columns = convolution.matrix.matrix.columns, places = (end - first) * bands;
  float* const patches = pass.scratch.allocate<float>(kPlaces * columns);
  for (std::size_t begin = 0; begin < places; begin += kPlaces) {
    const std::size_t count = std::min(kPlaces, places - begin);
    pass.pool.parallel_for(count, 8, [&](std::size_t from, std::size_t to, std::size_t) noexcept {
      for (std::size_t i = from; i < to; ++i)
        gather(convolution, in, first + (begin + i) / bands, (begin + i) % bands, patches + i * columns);
    });
    float* const made = out + begin * channels;
    project(patches, count, {{&convolution.matrix, made}}, pass);
    if (convolution.norm) (*convolution.norm)({made, count, channels}, made, pass);
    if (convolution.spec.activation) activate(*convolution.spec.activation, made, nullptr, count * channels, pass);
  }
}

void Stem::convolve_channels(const Convolution& convolution, const Part& in, std::size_t first, std::size_t end, float* out,
                             Pass& pass) const noexcept {
  const std::size_t bands = convolution.out.bands, channels = convolution.out.channels;
  pass.pool.parallel_for((end - first) * bands, 8, [&](std::size_t from, std::size_t to, std::size_t) noexcept {
    for (std::size_t i = from; i < to; ++i) {
      const std::size_t t = first + i / bands, band = i % bands;
      const float* inputs[kStemTaps];
      std::size_t inside = 0;
      float* const place = out + i * channels;
      for (std::size_t dt = 0; dt < 3; ++dt) {
        const float* const row = in.row(static_cast<std::ptrdiff_t>(2 * t + dt) - 1, convolution.in.values());
        for (std::size_t db = 0; db < 3; ++db) {
          const std::size_t at = 2 * band + db;
          const bool is_inside = row && at > 0 && at <= convolution.in.bands;
          inputs[spec_.time_last ? db * 3 + dt : dt * 3 + db] = is_inside ? row + (at - 1) * channels : nullptr;
          inside += is_inside ? 1 : 0;
        }
      }
      if (inside == kStemTaps) {
        pass.kernels.convolve(inputs, convolution.taps.data(), convolution.bias.data(), kStemTaps, channels, place);
        continue;
      }
      if (convolution.bias.empty()) std::fill_n(place, channels, 0.0f);
      else std::copy_n(convolution.bias.data(), channels, place);
      for (std::size_t tap = 0; tap < kStemTaps; ++tap)
        for (std::size_t c = 0; inputs[tap] && c < channels; ++c) place[c] += convolution.taps[tap * channels + c] * inputs[tap][c];
    }
  });
  if (convolution.spec.activation) activate(*convolution.spec.activation, out, nullptr, (end - first) * bands * channels, pass);
}

}  // namespace heed::nn

// The stem of an audio tower: convolutions over the frames and bands of a sound, which reduce the number of frames, then a matrix.
#pragma once

#include <string>
#include <vector>

#include "nn/hearing/hearing_spec.hpp"
#include "nn/norm.hpp"
#include "nn/weights.hpp"

namespace heed::nn {

class Stem {
 public:
  /// frame: values of a frame; width: of a row. Takes PREFIXNAME of each convolution, PREFIXout and PREFIXpositions.
  Stem(const StemSpec& spec, std::size_t frame, std::size_t width, const std::string& prefix, Weights& weights);

  std::size_t rows(std::size_t frames) const noexcept;
  ScratchNeed need(std::size_t frames) const;

  /// frames: count x frame; out: rows(count) x width.
  void operator()(const float* frames, std::size_t count, float* out, Pass& pass) const noexcept;

 private:
  /// A frame of a convolution's input or output: bands x channels.
  struct Shape {
    std::size_t bands = 0, channels = 0;

    std::size_t values() const noexcept { return bands * channels; }
  };
  struct Convolution {
    StemConvolution spec;
    Shape in, out;
    Linear matrix;             // out x (in 3 3), or out x in
    Buffer<float> taps, bias;  // by channel: 9 x channels; channels
    std::optional<Norm> norm;

    bool halves() const noexcept { return spec.kind != StemConvolution::Kind::pointwise; }
  };
  /// Frames [first, end) between two convolutions.
  struct Part {
    const float* data;
    std::size_t first, end;  // frames in memory
    std::size_t frames;      // number of all frames, not only in memory

    const float* row(std::ptrdiff_t t, std::size_t width) const noexcept {
      return t < 0 || t >= static_cast<std::ptrdiff_t>(frames) ? nullptr : data + (static_cast<std::size_t>(t) - first) * width;
    }
  };

  std::size_t block_rows(std::size_t frames) const noexcept;
  /// The number of values of the largest part, if kSlab rows are computed at a time.
  std::size_t most_values() const noexcept;
  void run_block(const float* frames, std::size_t count, float* out, Pass& pass) const noexcept;
  void convolve(const Convolution& convolution, const Part& in, std::size_t first, std::size_t end, float* out,
                Pass& pass) const noexcept;
  void convolve_channels(const Convolution& convolution, const Part& in, std::size_t first, std::size_t end, float* out,
                         Pass& pass) const noexcept;
  void gather(const Convolution& convolution, const Part& in, std::size_t t, std::size_t band, float* patch) const noexcept;

  StemSpec spec_;
  std::size_t frame_, width_;
  std::vector<Convolution> convolutions_;
  Linear out_;
  Buffer<float> positions_;  // block rows x width, or empty
};

}  // namespace heed::nn

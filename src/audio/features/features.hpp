// Computes the input of an audio tower from a sound (FeatureSpec). Uses double precision and no libm, so that every target gets the
// same bits.
#pragma once

#include <span>
#include <vector>

#include "audio/features/feature_spec.hpp"
#include "audio/filter_bank.hpp"

namespace heed::audio {

/// The chunks of a sound.
class Features {
 public:
  struct Chunk {
    std::size_t first, stored;  // the index of its first frame in memory, and how many of its frames are in memory
    std::size_t frames;         // frames in the chunk; those beyond `stored` are zeros
  };

  Features(std::size_t width, std::vector<float> values, std::vector<Chunk> chunks)
      : width_(width), values_(std::move(values)), chunks_(std::move(chunks)) {}

  /// The number of values in a frame.
  std::size_t width() const noexcept { return width_; }
  std::span<const Chunk> chunks() const noexcept { return chunks_; }
  /// The values of a chunk: frames x width.
  std::vector<float> copy(std::size_t chunk) const;

 private:
  std::size_t width_;
  std::vector<float> values_;
  std::vector<Chunk> chunks_;
};

class FeatureMaker {
 public:
  /// window (`window` values) and filters (bands x (transform / 2 + 1)) are for a spec in which they are `given`.
  explicit FeatureMaker(const FeatureSpec& spec, std::span<const float> window = {}, std::span<const float> filters = {});

  const FeatureSpec& spec() const noexcept { return spec_; }
  /// The features of samples at kRate, which must be finite. Throws std::bad_alloc.
  Features operator()(std::span<const float> samples, ThreadPool& pool) const;

 private:
  void cut(std::span<const float> samples, std::size_t frames, float* out) const noexcept;
  void transform(std::span<const float> samples, std::size_t frames, float* out, ThreadPool& pool) const;
  void level(std::size_t hops, std::size_t frames, float* values) const noexcept;
  double logarithm(double energy) const noexcept;

  FeatureSpec spec_;
  std::vector<float> window_;
  FilterBank filters_;
};

}  // namespace heed::audio

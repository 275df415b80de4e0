// Connects an audio tower to a text model: a chunk of a sound's frames becomes rows that replace token embeddings.
#pragma once

#include <optional>
#include <span>

#include "nn/audio_encoder.hpp"
#include "nn/hearing/conformer.hpp"
#include "nn/hearing/query_former.hpp"
#include "nn/hearing/stem.hpp"
#include "nn/projector.hpp"

namespace heed::nn {

class SoundReader {
 public:
  /// Takes the tensors of the tower and of its projector.
  SoundReader(const HearingSpec& spec, Weights& weights);

  const HearingSpec& spec() const noexcept { return spec_; }
  /// The file's window and mel filters, if it has them (FeatureSpec::given); otherwise empty.
  std::span<const float> window() const noexcept { return window_.span(); }
  std::span<const float> filters() const noexcept { return filters_.span(); }

  /// The number of rows that a chunk of `frames` becomes: between layers, and for the text model; 0 if it is too short.
  std::size_t positions(std::size_t frames) const noexcept;
  std::size_t rows(std::size_t frames) const noexcept;
  std::size_t row_width() const noexcept { return projector_->width(); }

  /// The layers whose keys and values a pass needs room for, if any.
  const StackSpec* attending() const noexcept;
  ScratchNeed need(std::size_t frames, std::size_t threads) const;

  /// frames: count x features.width(); out: rows(count) x row_width(). Returns false if canceled.
  bool operator()(const float* frames, std::size_t count, Pass& pass, float* out) const noexcept;

 private:
  /// Rows before the projector, and their width.
  std::size_t projected(std::size_t frames) const noexcept;
  std::size_t projected_width() const noexcept;
  std::size_t layers_width() const noexcept { return conformer_ ? conformer_->width() : width_; }

  HearingSpec spec_;
  std::size_t width_ = 0;  // between layers
  Buffer<float> window_, filters_;
  std::optional<AudioEncoder> whisper_;
  std::optional<Stem> stem_;
  std::optional<Stack> stack_;
  std::optional<Conformer> conformer_;
  std::optional<QueryFormer> queries_;
  std::optional<Projector> projector_;
};

}  // namespace heed::nn

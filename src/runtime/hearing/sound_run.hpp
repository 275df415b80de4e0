// Runs the audio tower and the projector of an mmproj file: turns parts of a sound into rows for the text model.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "audio/features/features.hpp"
#include "nn/hearing/sound_reader.hpp"
#include "runtime/hearing/heard_sound.hpp"
#include "runtime/model.hpp"

namespace heed::runtime {

class SoundRun {
 public:
  /// Throws unsupported for a model without an audio tower for texts. The model must outlive this object.
  explicit SoundRun(const Model& model);

  const nn::HearingSpec& spec() const noexcept { return reader_.spec(); }
  std::size_t row_width() const noexcept { return width_; }
  /// Pads rows with zeros to this width: the width of image rows in text models whose first layers each add a part of the row
  /// (arXiv:2406.04334), so that these layers add nothing for sounds.
  void fill_rows(std::size_t width) noexcept { width_ = width; }

  /// The number of rows of each part of a sound with this many samples. Throws invalid_argument for a sound that is too short.
  std::vector<std::size_t> rows(std::size_t samples) const;
  /// The memory to read a sound with this many samples, in addition to its samples and rows. Throws as rows() does.
  std::uint64_t bytes(std::size_t samples) const;

  /// The features of a sound, which the tower reads. Throws out_of_memory.
  audio::Features features(const HeardSound& sound) const;
  /// The rows of a part. Throws out_of_memory. Keeps the scratch memory for the next part.
  std::vector<float> operator()(const audio::Features& features, std::size_t part);

 private:
  const Model& model_;
  const nn::SoundReader& reader_;
  audio::FeatureMaker maker_;
  std::size_t width_;
  std::optional<nn::KvCachePool> caches_;
  std::unique_ptr<nn::Scratch> scratch_;
  std::size_t frames_ = 0;  // the number of frames that the scratch memory was allocated for
};

}  // namespace heed::runtime

// The log-mel spectrogram that Whisper reads (arXiv:2212.04356): the energy of a sound in bands, 100 frames a second. The same bits
// on every target, because it needs no libm.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace heed {
class ThreadPool;
}

namespace heed::audio {

inline constexpr std::size_t kRate = 16000;      // samples per second
inline constexpr std::size_t kHop = 160;         // samples from one frame to the next
inline constexpr std::size_t kWindow = 400;      // samples of a frame
inline constexpr std::size_t kBins = 201;        // of the spectrum of a frame
inline constexpr std::size_t kPadding = 480000;  // samples of silence after a sound: 30 seconds

/// The filters that turn a spectrum into bands.
struct MelSpec {
  std::size_t bands = 0;
  std::vector<float> filters = {};  // bands x kBins
};

class MelSpectrogram {
 public:
  /// The spectrogram of samples at kRate. Throws std::bad_alloc.
  MelSpectrogram(const MelSpec& spec, std::span<const float> samples, ThreadPool& pool);

  std::size_t bands() const noexcept { return bands_; }
  /// Frames, the padding included.
  std::size_t frames() const noexcept { return frames_; }
  /// Frames of the sound alone.
  std::size_t sound_frames() const noexcept { return sound_frames_; }
  /// Writes `count` frames from `first` on, each of `bands` values; zeros after the last.
  void copy(std::size_t first, std::size_t count, float* out) const noexcept;

 private:
  std::size_t bands_, frames_, sound_frames_;
  float silence_ = 0;          // the value of frames that only have padding, which are not stored
  std::vector<float> values_;  // frames x bands
};

}  // namespace heed::audio

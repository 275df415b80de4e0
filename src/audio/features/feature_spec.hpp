// How a sound at 16 kHz becomes the input of an audio tower, as data: its frames, and the chunks of frames that the tower reads one
// by one. The results are those of llama.cpp's libmtmd.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "audio/mel.hpp"

namespace heed::audio {

/// What is read in place of samples before the first and after the last one of a sound.
enum class Beyond : std::uint8_t {
  zeros,
  mirrored,          // around the sample at the end, which is not repeated; zeros where the sound is too short
  mirrored_clamped,  // as mirrored, but where the sound is too short, the sample at its other end
};

/// Where bands lie, and how their filters are normalized.
enum class MelScale : std::uint8_t {
  slaney,  // linear up to 1000 Hz, then logarithmic; each filter has the same area (Slaney, "Auditory Toolbox", 1998)
  htk,     // 2595 log10(1 + f / 700); each filter has the same height (Young et al., "The HTK Book")
};

/// How the logarithms of energies are scaled.
enum class Levels : std::uint8_t {
  plain,
  decades,       // to base 10, raised to at least the loudest minus 8; then (v + 4) / 4
  standardized,  // each band has mean 0 and deviation 1 over whole hops of the sound
};

struct FeatureSpec {
  static constexpr std::size_t kMostTransform = 512;

  std::size_t bands = 0;  // bands per frame; without a spectrum, samples per frame, and frames do not overlap

  // The spectrum of a frame, which begins kHop samples after the one before:
  std::size_t transform = 0;  // length of the Fourier transform; 0: no spectrum
  std::size_t window = kWindow;
  bool window_first = false;  // the window is at the beginning of the transformed samples; otherwise in their middle
  bool symmetric = false;     // the Hann window is symmetric; otherwise periodic
  bool given = false;         // window and filters come with the file
  std::size_t before = 0;     // samples of the first frame that lie before the sound
  Beyond front = Beyond::zeros, back = Beyond::zeros;
  double pre_emphasis = 0;  // this share of the previous sample is subtracted from each
  bool magnitude = false;   // bands sum up magnitudes; otherwise powers
  MelScale scale = MelScale::slaney;
  double floor = 0;         // least energy of a band
  bool adds_floor = false;  // `floor` is added to each energy instead
  Levels levels = Levels::plain;
  bool keeps_last = true;  // standardized: if false, frames after the whole hops are zeros

  // Frames and chunks:
  std::size_t silence = 0;    // samples of silence that are read after the sound
  std::size_t needed = 0;     // samples that the first frame needs; each further frame needs kHop more
  std::size_t least = 1;      // samples of the shortest sound
  std::size_t piece = 0;      // samples whose frames are computed separately; 0: all
  std::size_t joined = 1;     // frames that become one; an incomplete last one is dropped
  std::size_t chunk = 0;      // frames of a chunk; 0: all of a piece
  bool whole_chunks = false;  // an incomplete last chunk is dropped
  std::size_t unit = 1;       // zeros fill up the last chunk until its frames are a multiple of this

  /// The number of values in a frame as the tower reads it.
  std::size_t width() const noexcept { return bands * joined; }
};

/// The number of frames in each chunk of a sound of this many samples. Empty if it is too short.
std::vector<std::size_t> chunk_frames(const FeatureSpec& spec, std::size_t samples);

}  // namespace heed::audio

// WAV files: samples without compression, in all their kinds ("Multimedia Programming Interface and Data Specifications 1.0", 1991;
// WAVE_FORMAT_EXTENSIBLE, 2001).
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace heed::audio {

/// One channel of sound.
struct Sound {
  std::size_t rate = 0;  // samples per second
  std::vector<float> samples = {};
};

/// Reads samples of 8, 16, 24 or 32 bits, or floats of 32 or 64 bits; averages the channels. If the file's writer did not know the
/// number of bytes (0, 0x7FFFF000 or 0xFFFFFFFF), samples last to the end of the file. Throws unsupported for another format of
/// samples, naming it, and for files that are not WAV; invalid_argument for one that is damaged. Its samples are not checked: see
/// check_sound().
Sound read_wav(std::span<const std::byte> file);

/// Throws invalid_argument for a sound without samples, with a sample that is not a finite number from -8 to 8, or with a rate that
/// resample() does not convert.
void check_sound(const Sound& sound);

}  // namespace heed::audio

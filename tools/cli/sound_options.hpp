// Reads the sounds that commands are given.
#pragma once

#include <string>

#include "audio/wav.hpp"

namespace heed::cli {

/// A WAV file. Throws io, and what read_wav() and check_sound() throw.
audio::Sound read_sound(const std::string& path);

}  // namespace heed::cli

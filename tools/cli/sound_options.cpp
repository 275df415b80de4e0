#include "cli/sound_options.hpp"

#include <cstdio>
#include <memory>
#include <vector>

#include "base/error.hpp"

namespace heed::cli {

audio::Sound read_sound(const std::string& path) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), std::fclose);
  if (!file) throw Error(ErrorCode::io, "cannot be opened", path);
  std::vector<std::byte> bytes;
  constexpr std::size_t kPiece = std::size_t{1} << 20;
  for (std::size_t read = kPiece; read == kPiece;) {
    const std::size_t before = bytes.size();
    bytes.resize(before + kPiece);
    read = std::fread(bytes.data() + before, 1, kPiece, file.get());
    bytes.resize(before + read);
  }
  if (std::ferror(file.get())) throw Error(ErrorCode::io, "cannot be read", path);
  audio::Sound sound = audio::read_wav(bytes);
  audio::check_sound(sound);
  return sound;
}

}  // namespace heed::cli

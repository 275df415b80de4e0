#include "audio/wav.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>

#include "audio/resample.hpp"
#include "base/byte_reader.hpp"
#include "base/error.hpp"

namespace heed::audio {
namespace {

constexpr double kLoudest = 8;  // full scale is 1, but decoders may return slightly larger samples

constexpr std::uint32_t tag(const char (&text)[5]) noexcept {
  return static_cast<std::uint32_t>(text[0]) | static_cast<std::uint32_t>(text[1]) << 8 |
         static_cast<std::uint32_t>(text[2]) << 16 | static_cast<std::uint32_t>(text[3]) << 24;
}

[[noreturn]] void fail(const std::string& message) { throw Error(ErrorCode::invalid_argument, message, "audio"); }
[[noreturn]] void fail_unsupported(const std::string& message) { throw Error(ErrorCode::unsupported, message, "audio"); }

struct Format {
  bool floats = false;
  std::size_t channels = 0, rate = 0, bytes = 0;  // bytes of a sample
};

Format read_format(ByteReader in) {
  constexpr std::uint16_t kIntegers = 1, kFloats = 3, kExtensible = 0xFFFE;
  auto kind = in.read<std::uint16_t>();
  const auto channels = in.read<std::uint16_t>();
  const auto rate = in.read<std::uint32_t>();
  in.take(4);  // bytes per second
  const auto block = in.read<std::uint16_t>();
  const auto bits = in.read<std::uint16_t>();
  if (kind == kExtensible) {
    in.take(8);  // its size, the bits in use, which are the upper ones, and the places of loudspeakers
    kind = in.read<std::uint16_t>();
  }
  if (kind != kIntegers && kind != kFloats) fail_unsupported("its WAV format " + std::to_string(kind) + " is not supported");
  if (channels == 0 || block == 0 || block % channels != 0) fail("the header of the WAV file is damaged");
  const std::size_t bytes = block / channels;
  // A sample may have fewer bits than its bytes have (20 of 24, or 24 of 32): then the upper ones count.
  const bool right = kind == kFloats ? (bytes == 4 || bytes == 8) && bits == bytes * 8
                                     : bytes <= 4 && bits > 0 && bits <= bytes * 8;
  if (!right)
    fail_unsupported("a WAV file with " + std::to_string(bits) + " bits in samples of " + std::to_string(bytes) +
                     " bytes is not supported");
  return {kind == kFloats, channels, rate, bytes};
}

template <class T>
T at(const std::byte* bytes) noexcept {
  T value;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

double sample(const std::byte* bytes, const Format& format) noexcept {
  if (format.floats) return format.bytes == 4 ? static_cast<double>(at<float>(bytes)) : at<double>(bytes);
  switch (format.bytes) {
    case 1: return at<std::uint8_t>(bytes) * (2.0 / 255) - 1;
    case 2: return at<std::int16_t>(bytes) / 32768.0;
    case 3: {
      std::int32_t value = 0;
      std::memcpy(reinterpret_cast<std::byte*>(&value) + 1, bytes, 3);
      return value / 2147483648.0;
    }
    default: return at<std::int32_t>(bytes) / 2147483648.0;
  }
}

Sound read_samples(std::span<const std::byte> data, const Format& format) {
  const std::size_t block = format.channels * format.bytes;
  Sound sound{format.rate, std::vector<float>(data.size() / block)};
  const std::byte* from = data.data();
  for (float& mean : sound.samples) {
    double sum = 0;
    for (std::size_t c = 0; c < format.channels; ++c, from += format.bytes) sum += sample(from, format);
    mean = static_cast<float>(sum / static_cast<double>(format.channels));
  }
  return sound;
}

}  // namespace

Sound read_wav(std::span<const std::byte> file) try {
  ByteReader in(file);
  const auto riff = in.read<std::uint32_t>();
  in.take(4);
  if (riff != tag("RIFF") || in.read<std::uint32_t>() != tag("WAVE")) fail_unsupported("is not a WAV file");
  std::optional<Format> format;
  while (true) {
    if (in.remaining() < 8) fail("the WAV file has no samples");
    const auto name = in.read<std::uint32_t>(), size = in.read<std::uint32_t>();
    if (name == tag("data")) {
      if (!format) fail("the WAV file does not say what its samples are");
      const bool unknown = size == 0 || size == 0x7FFFF000 || size == 0xFFFFFFFF;
      if (!unknown && size > in.remaining())
        fail("the WAV file ends after " + std::to_string(in.remaining()) + " of " + std::to_string(size) + " bytes of samples");
      return read_samples(in.take(unknown ? in.remaining() : size), *format);
    }
    const auto chunk = in.take(size);
    if (name == tag("fmt ")) format = read_format(ByteReader(chunk));
    if (size % 2 != 0 && in.remaining() > 0) in.take(1);  // chunks begin at even offsets
  }
} catch (const EndOfBytes&) {
  fail("the WAV file ends inside its header");
}

void check_sound(const Sound& sound) {
  if (sound.samples.empty()) fail("has no samples");
  check_rate(sound.rate);
  for (std::size_t i = 0; i < sound.samples.size(); ++i)
    if (!(std::abs(static_cast<double>(sound.samples[i])) <= kLoudest))
      fail("sample " + std::to_string(i) + " is no finite number from -8 to 8");
}

}  // namespace heed::audio

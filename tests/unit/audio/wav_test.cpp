// WAV files of all plain kinds, and damaged ones.
#include "audio/wav.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstring>
#include <limits>

#include "support/errors.hpp"

using namespace heed;
using audio::read_wav;
using test::check_throws;

namespace {

using Bytes = std::vector<std::byte>;

void put_text(Bytes& bytes, std::string_view text) {
  for (const char c : text) bytes.push_back(static_cast<std::byte>(c));
}

template <class T>
void put(Bytes& bytes, T value) {
  const auto* from = reinterpret_cast<const std::byte*>(&value);
  bytes.insert(bytes.end(), from, from + sizeof value);
}

struct File {
  std::uint16_t kind = 1, channels = 1, bits = 16, block = 0;  // block: 0: as bits say
  std::uint32_t rate = 16000;
  Bytes data = {};
  std::optional<std::uint32_t> size = {};  // of the data, if it is not told as it is
  std::string before = {}, after = {};     // other chunks
  bool extensible = false;

  Bytes bytes() const {
    Bytes format;
    put(format, extensible ? std::uint16_t{0xFFFE} : kind);
    put(format, channels);
    put(format, rate);
    put(format, std::uint32_t{0});
    put(format, static_cast<std::uint16_t>(block != 0 ? block : channels * ((bits + 7) / 8)));
    put(format, bits);
    if (extensible) {
      put(format, std::uint16_t{22});
      put(format, bits);
      put(format, std::uint32_t{0});
      put(format, kind);
      put_text(format, std::string_view("\x00\x00\x00\x00\x10\x00\x80\x00\x00\xaa\x00\x38\x9b\x71", 14));
    }
    Bytes all;
    put_text(all, "RIFF");
    put(all, std::uint32_t{0});
    put_text(all, "WAVE");
    put_text(all, before);
    put_text(all, "fmt ");
    put(all, static_cast<std::uint32_t>(format.size()));
    all.insert(all.end(), format.begin(), format.end());
    put_text(all, "data");
    put(all, size.value_or(static_cast<std::uint32_t>(data.size())));
    all.insert(all.end(), data.begin(), data.end());
    put_text(all, after);
    return all;
  }
};

template <class T>
Bytes samples(std::initializer_list<T> values) {
  Bytes bytes;
  for (const T value : values) put(bytes, value);
  return bytes;
}

std::vector<float> read(const File& file) { return read_wav(file.bytes()).samples; }

}  // namespace

TEST_CASE("samples of all kinds become floats", "[audio]") {
  CHECK(read({.bits = 8, .data = samples<std::uint8_t>({0, 255})}) == std::vector<float>{-1, 1});
  CHECK(read({.data = samples<std::int16_t>({-32768, 0, 16384})}) == std::vector<float>{-1, 0, 0.5f});
  CHECK(read({.bits = 24, .data = samples<std::uint8_t>({0, 0, 0x80, 0, 0, 0x40})}) == std::vector<float>{-1, 0.5f});
  CHECK(read({.bits = 32, .data = samples<std::int32_t>({std::numeric_limits<std::int32_t>::min(), 1 << 30})}) ==
        std::vector<float>{-1, 0.5f});
  CHECK(read({.kind = 3, .bits = 32, .data = samples<float>({0.25f, -1.5f})}) == std::vector<float>{0.25f, -1.5f});
  CHECK(read({.kind = 3, .bits = 64, .data = samples<double>({0.25, -1.5})}) == std::vector<float>{0.25f, -1.5f});
  // 24 of 32 bits, which are the upper ones
  CHECK(read({.bits = 24, .block = 4, .data = samples<std::int32_t>({1 << 30})}) == std::vector<float>{0.5f});
}

TEST_CASE("an extensible header says the kind of samples elsewhere", "[audio]") {
  CHECK(read({.kind = 3, .bits = 32, .data = samples<float>({0.25f}), .extensible = true}) == std::vector<float>{0.25f});
  CHECK(read({.bits = 16, .data = samples<std::int16_t>({8192}), .extensible = true}) == std::vector<float>{0.25f});
}

TEST_CASE("channels become their mean", "[audio]") {
  CHECK(read({.channels = 2, .data = samples<std::int16_t>({16384, 0, -16384, -16384})}) == std::vector<float>{0.25f, -0.5f});
  CHECK(read({.kind = 3, .channels = 4, .bits = 32, .data = samples<float>({1, 0, 0, 0})}) == std::vector<float>{0.25f});
}

TEST_CASE("other chunks are stepped over, also those of odd sizes", "[audio]") {
  using namespace std::string_literals;
  const File file{.data = samples<std::int16_t>({16384}),
                  .before =
                      "LIST\x03\x00\x00\x00"
                      "abc\x00"s,
                  .after = "note, and more"};
  CHECK(read(file) == std::vector<float>{0.5f});
}

TEST_CASE("data of an unknown size lasts to the end", "[audio]") {
  for (const std::uint32_t size : {0u, 0x7FFFF000u, 0xFFFFFFFFu})
    CHECK(read({.data = samples<std::int16_t>({16384, 0}), .size = size}) == std::vector<float>{0.5f, 0});
}

TEST_CASE("the rate is told", "[audio]") { CHECK(read_wav(File{.rate = 44100}.bytes()).rate == 44100); }

TEST_CASE("a file that is cut off anywhere is an error", "[audio]") {
  const Bytes whole = File{.data = samples<std::int16_t>({1, 2, 3})}.bytes();
  for (std::size_t length = 0; length < whole.size(); ++length) {
    INFO(length);
    check_throws(ErrorCode::invalid_argument, "WAV file", [&] { read_wav(std::span(whole).first(length)); });
  }
}

TEST_CASE("what is not a WAV file of plain samples is not supported", "[audio]") {
  Bytes other;
  put_text(other, "OggS and so on, for some more bytes");
  check_throws(ErrorCode::unsupported, "not a WAV file", [&] { read_wav(other); });
  check_throws(ErrorCode::unsupported, "format 17", [] { read_wav(File{.kind = 17, .bits = 4}.bytes()); });
  check_throws(ErrorCode::unsupported, "16 bits", [] { read_wav(File{.kind = 3, .bits = 16}.bytes()); });
  check_throws(ErrorCode::unsupported, "48 bits", [] { read_wav(File{.bits = 48}.bytes()); });
  check_throws(ErrorCode::invalid_argument, "damaged", [] { read_wav(File{.channels = 0, .block = 2}.bytes()); });
}

TEST_CASE("sounds that cannot be are refused", "[audio]") {
  using audio::check_sound;
  CHECK_NOTHROW(check_sound({16000, {1.5f, -1.5f}}));
  check_throws(ErrorCode::invalid_argument, "no samples", [] { check_sound({16000, {}}); });
  check_throws(ErrorCode::invalid_argument, "sample 1", [] { check_sound({16000, {0, std::nanf("")}}); });
  check_throws(ErrorCode::invalid_argument, "sample 0", [] { check_sound({16000, {HUGE_VALF}}); });
  check_throws(ErrorCode::invalid_argument, "sample 0", [] { check_sound({16000, {9}}); });
  check_throws(ErrorCode::invalid_argument, "1 samples per second", [] { check_sound({1, {0}}); });
  check_throws(ErrorCode::invalid_argument, "1000000", [] { check_sound({1000000, {0}}); });
}

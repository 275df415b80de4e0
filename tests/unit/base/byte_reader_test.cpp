#include "base/byte_reader.hpp"

#include <array>
#include <catch2/catch_test_macros.hpp>
#include <limits>

using heed::ByteReader;
using heed::EndOfBytes;

namespace {

constexpr std::array kBytes = {std::byte{1},    std::byte{2},    std::byte{3},    std::byte{4},   std::byte{5},
                               std::byte{0xfe}, std::byte{0xff}, std::byte{0xff}, std::byte{0xff}};

std::uint64_t needed_by(auto read) {
  try {
    read();
  } catch (const EndOfBytes& end) {
    return end.needed();
  }
  return 0;
}

}  // namespace

TEST_CASE("the byte reader reads little-endian values in order", "[base]") {
  ByteReader in(kBytes);
  CHECK(in.read<std::uint32_t>() == 0x04030201);
  CHECK(in.read<std::uint8_t>() == 5);
  CHECK(in.position() == 5);
  CHECK(in.read<std::int32_t>() == -2);
  CHECK(in.remaining() == 0);
}

TEST_CASE("the byte reader says how many bytes it lacks and stays where it was", "[base]") {
  ByteReader in(kBytes);
  in.take(6);
  CHECK(needed_by([&] { in.read<std::uint32_t>(); }) == 10);
  CHECK(needed_by([&] { in.take(4); }) == 10);
  CHECK(in.position() == 6);
  CHECK(in.take(3).size() == 3);
  CHECK(in.take(0).empty());
}

TEST_CASE("an absurd length neither overflows nor passes the byte reader", "[base]") {
  constexpr auto most = std::numeric_limits<std::uint64_t>::max();
  ByteReader in(kBytes);
  in.take(1);
  CHECK(needed_by([&] { in.take(most); }) == most);
  CHECK(needed_by([&] { in.take(most - 1); }) == most);
  CHECK(needed_by([&] { in.take(most - 2); }) == most - 1);
  CHECK(needed_by([&] { in.take(std::uint64_t{1} << 32); }) == (std::uint64_t{1} << 32) + 1);
  CHECK(in.position() == 1);
}

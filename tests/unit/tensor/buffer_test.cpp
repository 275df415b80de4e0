// Owned memory.
#include "tensor/buffer.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <limits>
#include <new>
#include <utility>

using heed::Buffer;

TEST_CASE("a buffer is aligned, zeroed, and holds what it says", "[tensor]") {
  for (const std::size_t count : {1, 7, 1000}) {
    const Buffer<float> buffer(count);
    CHECK(buffer.size() == count);
    CHECK(reinterpret_cast<std::uintptr_t>(buffer.data()) % 64 == 0);
    CHECK(std::ranges::count(buffer.span(), 0.0f) == static_cast<std::ptrdiff_t>(count));
  }
}

TEST_CASE("a buffer is zeroed where its memory was used before, and where some of it was", "[tensor]") {
  for (const std::size_t count : {100'000, 60'000, 300'000}) {
    Buffer<std::uint8_t> buffer(count);
    CHECK(std::ranges::count(buffer.span(), 0) == static_cast<std::ptrdiff_t>(count));
    std::ranges::fill(buffer.span(), std::uint8_t{0xff});
  }
}

TEST_CASE("a buffer that was never made is empty and has no address", "[tensor]") {
  const Buffer<float> none;
  CHECK(none.empty());
  CHECK(none.data() == nullptr);
}

TEST_CASE("a buffer that moves takes its memory along", "[tensor]") {
  Buffer<int> from(3);
  from[2] = 5;
  const int* address = from.data();
  Buffer<int> to = std::move(from);
  CHECK(to.data() == address);
  CHECK(to[2] == 5);
  CHECK(from.empty());
}

TEST_CASE("a size that no address space holds is bad_alloc, not a small buffer", "[tensor]") {
  constexpr std::size_t kMost = std::numeric_limits<std::size_t>::max();
  CHECK_THROWS_AS(Buffer<float>(kMost / 4), std::bad_alloc);
  CHECK_THROWS_AS(Buffer<float>(kMost / 4 + 2), std::bad_alloc);
  CHECK_THROWS_AS(Buffer<std::byte>(kMost), std::bad_alloc);
}

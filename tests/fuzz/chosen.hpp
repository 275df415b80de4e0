// Which inputs a fuzzer spends more time on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/checksum.hpp"

namespace heed::test {

/// True for about one in `of` inputs. By the checksum, because libFuzzer soon knows a size or a byte with which inputs reach more code,
/// and would hardly try others.
inline bool is_chosen(std::span<const std::uint8_t> input, std::uint64_t of) {
  Checksum checksum;
  checksum.add(std::as_bytes(input));
  return checksum.value() % of == 0;
}

}  // namespace heed::test

// The codebooks of IQ1, IQ2 and IQ3 are ggml's, value for value.
#include "tensor/codebooks.hpp"

#include <catch2/catch_test_macros.hpp>
#include <vector>

#include "support/crc32.hpp"

using heed::Codebook;

TEST_CASE("codebooks have ggml's entries", "[tensor]") {
  const std::vector<float> two{8, 25, 43}, three{4, 12, 20, 28, 36, 44, 52, 62}, odd{1, 3, 5, 7, 9, 11, 13, 15}, one{-7, 1, 9};
  struct Case {
    Codebook book;
    std::size_t entries, values;  // of an entry
    std::vector<float> levels;
    std::uint32_t crc;  // of all values as floats: tools/codebooks/generate.mjs --checksums
  };
  for (const Case& expected : {Case{Codebook::iq2_xxs, 256, 8, two, 0x13d80c3d},
                               {Codebook::iq2_xs, 512, 8, two, 0xa5ccbd47},
                               {Codebook::iq2_s, 1024, 8, two, 0x2a520b6b},
                               {Codebook::iq3_xxs, 256, 4, three, 0x627b61d8},
                               {Codebook::iq3_s, 512, 4, odd, 0x4f7d8df3},
                               {Codebook::iq1, 2048, 8, one, 0xcb655127}}) {
    INFO("codebook " << static_cast<int>(expected.book));
    const auto entries = heed::codebook(expected.book);
    REQUIRE(entries.size() == expected.entries);
    std::vector<float> values;
    for (const std::uint64_t entry : entries)
      for (std::size_t i = 0; i < expected.values; ++i)
        values.push_back(expected.levels.at(static_cast<std::size_t>(entry >> 8 * i & 255)));
    CHECK(heed::test::crc32(std::as_bytes(std::span(values))) == expected.crc);
  }
}

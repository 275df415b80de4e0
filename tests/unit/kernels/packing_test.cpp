// Packed weights give back the exact values that the file stores.
#include <bit>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdio>
#include <limits>

#include "formats/gguf.hpp"
#include "kernels/dispatch.hpp"
#include "kernels/generic/packed_codes.hpp"
#include "support/json.hpp"
#include "support/stored_rows.hpp"
#include "unit/kernels/packed.hpp"

namespace kernels = heed::kernels;
using heed::DType;
using heed::test::Fuzz;
using heed::test::Packed;

namespace {

/// Every row of a packed matrix against the values of its stored blocks, worked out plainly.
void check_values(const kernels::Kernels& target, DType dtype, std::size_t rows, std::size_t columns,
                  const std::vector<std::byte>& stored) {
  const Packed w(target, dtype, rows, columns, stored);
  std::vector<float> got(columns);
  int wrong = 0;
  for (std::size_t row = 0; row < rows; ++row) {
    target.unpack_row(w.matrix(), row, got.data());
    const auto expected =
        heed::test::dequantise(dtype, stored.data() + row * heed::row_bytes(dtype, columns), columns);
    for (std::size_t k = 0; k < columns; ++k) {
      const auto value = static_cast<float>(expected[k]);
      if (got[k] != value && !(std::isnan(got[k]) && std::isnan(value))) ++wrong;
    }
  }
  CHECK(wrong == 0);
}

/// CRC-32 as in zlib (RFC 1952, section 8).
std::uint32_t crc32(std::span<const std::byte> bytes, std::uint32_t crc = 0) {
  crc = ~crc;
  for (const std::byte b : bytes) {
    crc ^= static_cast<std::uint32_t>(b);
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
  }
  return ~crc;
}

}  // namespace

TEST_CASE("every bit of a code has one place, and every place one bit", "[kernels]") {
  for (const std::size_t bits : {2, 3, 4, 5, 6, 8}) {
    INFO(bits << " bits");
    std::vector<unsigned> taken(bits);  // of the bytes of each vector
    for (const auto& group : kernels::generic::code_pieces(bits)) {
      unsigned code = 0;
      REQUIRE(group.count <= group.pieces.size());
      for (std::size_t i = 0; i < group.count; ++i) {
        const auto& [vector, from, to, width] = group.pieces[i];
        REQUIRE(vector < bits);
        REQUIRE(from >= to);
        const unsigned mask = (1u << width) - 1;
        CHECK((code & mask << to) == 0);
        CHECK((taken[vector] & mask << from) == 0);
        code |= mask << to;
        taken[vector] |= mask << from;
      }
      CHECK(code == (1u << bits) - 1);
    }
    for (const unsigned bytes : taken) CHECK(bytes == 0xff);
  }
}

TEST_CASE("packed rows unpack to their exact values", "[kernels]") {
  Fuzz fuzz(1);
  for (const kernels::Kernels* target : kernels::available()) {
    for (const auto& type : heed::kDTypes) {
      for (const std::size_t rows : {1, 4, 7, 16, 33}) {
        INFO(target->name << ", " << type.name << ", " << rows << " rows");
        const std::size_t columns = type.block_values * fuzz.from_to(1, 5);
        check_values(*target, type.dtype, rows, columns,
                     heed::test::stored_rows(type.dtype, rows, columns, fuzz));
      }
    }
  }
}

TEST_CASE("a panel's size is that of its blocks, and hardly more than the file's", "[kernels]") {
  for (const kernels::Kernels* target : kernels::available()) {
    for (const auto& type : heed::kDTypes) {
      INFO(target->name << ", " << type.name);
      const std::size_t one = target->panel_bytes(type.dtype, type.block_values);
      for (const std::size_t blocks : {2, 3, 16})
        CHECK(target->panel_bytes(type.dtype, blocks * type.block_values) == blocks * one);
      CHECK(one >= target->panel_rows * type.block_bytes);
      CHECK(one <= target->panel_rows * type.block_bytes * 5 / 4);
    }
  }
}

TEST_CASE("every f16 and bf16 pattern unpacks to its value", "[kernels]") {
  std::vector<std::byte> stored(2 * 65536);
  for (std::size_t i = 0; i < 65536; ++i) {
    stored[2 * i] = static_cast<std::byte>(i);
    stored[2 * i + 1] = static_cast<std::byte>(i >> 8);
  }
  for (const kernels::Kernels* target : kernels::available())
    for (const DType dtype : {DType::f16, DType::bf16}) check_values(*target, dtype, 16, 4096, stored);
}

TEST_CASE("every code of a quantised block unpacks to its value", "[kernels]") {
  // all bytes in turn as codes and as integer scales, with f16 scales from subnormal to large
  for (const kernels::Kernels* target : kernels::available()) {
    for (const auto& type : heed::kDTypes) {
      if (!kernels::takes_int8(type.dtype)) continue;
      const std::size_t blocks = 256;
      std::vector<std::byte> stored(blocks * type.block_bytes);
      for (std::size_t i = 0; i < stored.size(); ++i) stored[i] = static_cast<std::byte>(i + i / 256);
      for (std::size_t b = 0; b < blocks; ++b) {
        if (type.dtype == DType::mxfp4) stored[b * type.block_bytes] = static_cast<std::byte>(b % 255);  // 255 is NaN
        for (const std::size_t field : heed::test::half_fields(type.dtype))
          stored[b * type.block_bytes + field + 1] = static_cast<std::byte>(b % 0x60 | (b & 0x80));
      }
      INFO(target->name << ", " << type.name);
      check_values(*target, type.dtype, blocks / 4, 4 * type.block_values, stored);
    }
  }
}

TEST_CASE("weights that llama.cpp quantised have its values", "[kernels][shared]") {
  for (const char* name : {"qbase-Q8_0", "qbase-Q4_0", "qbase-Q4_1", "qbase-Q5_0", "qbase-Q5_1", "qbase-Q2_K",
                           "qbase-Q3_K_M", "qbase-Q4_K_M", "qbase-Q5_K_M", "qbase-Q6_K", "qbase-IQ4_NL",
                           "qbase-IQ4_XS", "qbase-TQ1_0", "qbase-TQ2_0", "qmoe-MXFP4_MOE", "qmoe-Q4_K_M"}) {
    const std::string path = std::string("oracle/quant/") + name;
    const auto bytes = heed::test::read_bytes(heed::test::shared_file(path + ".gguf"));
    const auto reference = heed::test::read_json(heed::test::shared_file(path + ".dequant.json"));
    const auto file = heed::formats::read_gguf_header(bytes);
    REQUIRE(reference.size() == file.tensors.size());
    for (const kernels::Kernels* target : kernels::available()) {
      for (const auto& tensor : reference) {
        const auto* stored = file.find(tensor["name"].get<std::string>());
        REQUIRE(stored);
        const std::byte* data = bytes.data() + stored->offset;
        const Packed w(*target, stored->dtype, stored->rows(), stored->columns(),
                       {data, data + stored->bytes});
        std::vector<float> row(stored->columns());
        std::uint32_t crc = 0;
        for (std::size_t i = 0; i < stored->rows(); ++i) {
          target->unpack_row(w.matrix(), i, row.data());
          crc = crc32(std::as_bytes(std::span(row)), crc);
        }
        char text[9];
        std::snprintf(text, sizeof text, "%08x", static_cast<unsigned>(crc));
        INFO(target->name << ", " << name << ", " << stored->name);
        CHECK(tensor["crc32_f32"] == text);
      }
    }
  }
}

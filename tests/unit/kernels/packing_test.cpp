// Packed weights give back the exact values that the file stores.
#include <algorithm>
#include <bit>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdio>
#include <limits>

#include "formats/gguf.hpp"
#include "kernels/dispatch.hpp"
#include "kernels/generic/block_layout.hpp"
#include "kernels/generic/packed_codes.hpp"
#include "support/crc32.hpp"
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
    const auto expected = heed::test::dequantize(dtype, stored.data() + row * heed::row_bytes(dtype, columns), columns);
    for (std::size_t k = 0; k < columns; ++k) {
      const auto value = static_cast<float>(expected[k]);
      if (got[k] != value && !(std::isnan(got[k]) && std::isnan(value))) ++wrong;
    }
  }
  CHECK(wrong == 0);
}

/// A file's weights have the values that llama.cpp gives them, of which a file beside it knows the checksums.
void check_quantized(const std::string& path) {
  const auto bytes = heed::test::read_bytes(heed::test::shared_file(path + ".gguf"));
  const auto reference = heed::test::read_json(heed::test::shared_file(path + ".dequant.json"));
  const auto file = heed::formats::read_gguf_header(bytes);
  REQUIRE(reference.size() == file.tensors.size());
  for (const kernels::Kernels* target : kernels::available()) {
    for (const auto& tensor : reference) {
      INFO(target->name << ", " << path << ", " << tensor["name"]);
      const auto* stored = file.find(tensor["name"].get<std::string>());
      REQUIRE(stored);
      const std::byte* data = bytes.data() + stored->offset;
      const Packed w(*target, stored->dtype, stored->rows(), stored->columns(), {data, data + stored->bytes});
      std::vector<float> row(stored->columns());
      std::uint32_t crc = 0;
      for (std::size_t i = 0; i < stored->rows(); ++i) {
        target->unpack_row(w.matrix(), i, row.data());
        crc = heed::test::crc32(std::as_bytes(std::span(row)), crc);
      }
      char text[9];
      std::snprintf(text, sizeof text, "%08x", static_cast<unsigned>(crc));
      CHECK(tensor["crc32_f32"] == text);
    }
  }
}

}  // namespace

TEST_CASE("every bit of a code has one place, and every place one bit", "[kernels]") {
  for (const std::size_t bits : {1, 2, 3, 4, 5, 6, 8}) {
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
        check_values(*target, type.dtype, rows, columns, heed::test::stored_rows(type.dtype, rows, columns, fuzz));
      }
    }
  }
}

TEST_CASE("a panel is as large as its blocks, and hardly larger than in the file, or than its codes", "[kernels]") {
  for (const kernels::Kernels* target : kernels::available()) {
    for (const auto& type : heed::kDTypes) {
      INFO(target->name << ", " << type.name);
      const std::size_t one = target->panel_bytes(type.dtype, type.block_values);
      for (const std::size_t blocks : {2, 3, 16})
        CHECK(target->panel_bytes(type.dtype, blocks * type.block_values) == blocks * one);
      CHECK(one >= target->panel_rows * type.block_bytes);
      const auto layout = kernels::generic::block_layout(type.dtype);
      const std::size_t spread_out = layout.codebook ? type.block_values * (layout.bits * 2 + 1) / 16 + 20 : 0;
      CHECK(one <= target->panel_rows * std::max(type.block_bytes * 5 / 4, spread_out));
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

TEST_CASE("every code of a quantized block unpacks to its value", "[kernels]") {
  // all bytes in turn as codes and as integer scales, with f16 scales from subnormal to large
  for (const kernels::Kernels* target : kernels::available()) {
    for (const auto& type : heed::kDTypes) {
      if (!kernels::takes_int8(type.dtype)) continue;
      const std::size_t blocks = 256;
      std::vector<std::byte> stored(blocks * type.block_bytes);
      for (std::size_t i = 0; i < stored.size(); ++i) stored[i] = static_cast<std::byte>(i + i / 256);
      for (std::size_t b = 0; b < blocks; ++b) {
        std::byte* block = stored.data() + b * type.block_bytes;
        const auto high = static_cast<std::byte>(b % 0x60 | (b & 0x80));
        if (type.dtype == DType::iq1_m) heed::test::put_iq1_m_scale(block, static_cast<std::uint16_t>(int(high) << 8 | b));
        if (type.dtype == DType::mxfp4) *block = static_cast<std::byte>(b % 255);  // 255 is NaN
        for (const std::size_t field : heed::test::half_fields(type.dtype)) block[field + 1] = high;
      }
      INFO(target->name << ", " << type.name);
      check_values(*target, type.dtype, blocks / 4, 4 * type.block_values, stored);
    }
  }
}

TEST_CASE("weights that llama.cpp quantized have its values", "[kernels][shared]") {
  for (const std::string set : {"oracle", "oracle26"}) {
    const auto index = heed::test::read_json(heed::test::shared_file(set + "/index.json"));
    for (const auto& [name, figures] : index["quant"].items()) check_quantized(set + "/quant/" + name);
  }
}

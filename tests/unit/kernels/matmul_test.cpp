// Matrix products against plain sums in double, and the quantization of activations against its definition.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "kernels/dispatch.hpp"
#include "support/stored_rows.hpp"
#include "unit/kernels/packed.hpp"

namespace kernels = heed::kernels;
using heed::DType;
using heed::test::Activations;
using heed::test::Fuzz;
using heed::test::Packed;

namespace {

constexpr double kUnit = 0x1p-24;  // of rounding, relative

/// Activations quantized as the interface says: 32 values share a scale, their largest magnitude / 127.
struct NaiveActivations {
  std::vector<std::int8_t> codes;
  std::vector<float> scales;
  std::vector<double> values;  // that the codes stand for

  explicit NaiveActivations(const std::vector<float>& x) {
    for (std::size_t begin = 0; begin < x.size(); begin += 32) {
      float top = 0;
      for (std::size_t i = 0; i < 32; ++i) top = std::max(top, std::fabs(x[begin + i]));
      scales.push_back(top / 127.0f);
      for (std::size_t i = 0; i < 32; ++i) {
        codes.push_back(static_cast<std::int8_t>(std::nearbyint(x[begin + i] * (127.0f / top))));
        values.push_back(static_cast<double>(codes.back()) * scales.back());
      }
    }
  }
};

/// y[t][row] and, for the bound, the same sum of magnitudes.
struct Sum {
  double value = 0, magnitude = 0;
};
Sum naive_product(const std::vector<double>& w, const double* x, double bias) {
  Sum sum{bias, std::fabs(bias)};
  for (std::size_t k = 0; k < w.size(); ++k) {
    sum.value += w[k] * x[k];
    sum.magnitude += std::fabs(w[k] * x[k]);
  }
  return sum;
}

void check_matmul(DType dtype, std::size_t rows, std::size_t columns, std::size_t tokens, bool biased, Fuzz& fuzz) {
  const kernels::Kernels& scalar = kernels::select("scalar");
  const auto stored = heed::test::stored_rows(dtype, rows, columns, fuzz);
  const Packed w(scalar, dtype, rows, columns, stored);
  Activations x(scalar, tokens, columns, fuzz.reals(tokens * columns, 3));
  const std::vector<float> bias = fuzz.reals(rows);
  const std::size_t stride = rows + 3;
  constexpr float kUntouched = 12345;
  std::vector<float> y(tokens * stride, kUntouched);
  scalar.matmul(w.matrix(), x.input(), biased ? bias.data() : nullptr, 0, w.panels(), y.data(), stride, x.scratch());

  std::vector<double> inputs(x.values().begin(), x.values().end());
  if (kernels::takes_int8(dtype)) inputs = NaiveActivations(x.values()).values;
  // one rounding an addition and one a product, of k or of blocks of k; some for scales and bias
  const double roundings = static_cast<double>(kernels::takes_int8(dtype) ? columns / 32 : columns) + 5;
  for (std::size_t row = 0; row < rows; ++row) {
    const auto values = heed::test::dequantize(dtype, stored.data() + row * heed::row_bytes(dtype, columns), columns);
    for (std::size_t t = 0; t < tokens; ++t) {
      const Sum sum = naive_product(values, inputs.data() + t * columns, biased ? bias[row] : 0.0);
      INFO(heed::info(dtype).name << ", row " << row << " of " << rows << ", token " << t << " of " << tokens);
      CHECK(std::fabs(y[t * stride + row] - sum.value) <= roundings * kUnit * sum.magnitude);
    }
  }
  for (std::size_t t = 0; t < tokens; ++t)
    CHECK(std::count(y.begin() + static_cast<std::ptrdiff_t>(t * stride + rows),
                     y.begin() + static_cast<std::ptrdiff_t>((t + 1) * stride), kUntouched) == 3);
}

}  // namespace

TEST_CASE("matrix products are within rounding of plain sums", "[kernels]") {
  Fuzz fuzz(1);
  for (const auto& type : heed::kDTypes)
    for (const std::size_t rows : {1, 5, 8, 21})
      for (const std::size_t tokens : {1, 3, 4, 6, 9})
        check_matmul(type.dtype, rows, std::max<std::size_t>(type.block_values, 19) * 2, tokens, rows % 2 == 1, fuzz);
}

TEST_CASE("a product of any panels writes just their rows", "[kernels]") {
  Fuzz fuzz(1);
  for (const kernels::Kernels* target : kernels::available()) {
    const std::size_t rows = 5 * target->panel_rows - 3, columns = 32;
    const auto stored = heed::test::stored_rows(DType::q4_0, rows, columns, fuzz);
    const Packed w(*target, DType::q4_0, rows, columns, stored);
    Activations x(*target, 1, columns, fuzz.reals(columns));
    std::vector<float> whole(rows);
    target->matmul(w.matrix(), x.input(), nullptr, 0, 5, whole.data(), rows, x.scratch());
    for (std::size_t begin = 0; begin <= 5; ++begin) {
      for (std::size_t end = begin; end <= 5; ++end) {
        std::vector<float> expected(rows, -7.0f), part(rows, -7.0f);
        for (std::size_t row = begin * target->panel_rows; row < std::min(rows, end * target->panel_rows); ++row)
          expected[row] = whole[row];
        target->matmul(w.matrix(), x.input(), nullptr, begin, end, part.data(), rows, x.scratch());
        CHECK(part == expected);
      }
    }
  }
}

TEST_CASE("pairs of panels give the same results as single panels, and write only their rows", "[kernels]") {
  Fuzz fuzz(2);
  for (const kernels::Kernels* target : kernels::available()) {
    for (const auto& type : heed::kDTypes) {
      for (const std::size_t panels : {1, 2, 5}) {
        const std::size_t rows = panels * target->panel_rows - 3, columns = type.block_values == 1 ? 19 : 256;
        const auto stored = heed::test::stored_rows(type.dtype, rows, columns, fuzz);
        const Packed w(*target, type.dtype, rows, columns, stored);
        Activations x(*target, 1, columns, fuzz.reals(columns));
        const std::vector<float> bias = fuzz.reals(rows);
        std::vector<float> whole(rows);
        target->matmul(w.matrix(), x.input(), bias.data(), 0, panels, whole.data(), rows, x.scratch());
        const std::size_t pairs = kernels::panel_pairs(panels);
        for (std::size_t pair = 0; pair < pairs; ++pair) {
          std::vector<float> expected(rows, -7.0f), part(rows, -7.0f);
          for (std::size_t row = 0; row < rows; ++row)
            if (row / target->panel_rows % pairs == pair) expected[row] = whole[row];
          target->matvec(w.matrix(), x.input(), bias.data(), pair, pair + 1, part.data(), rows, x.scratch());
          INFO(target->name << ", " << type.name << ", pair " << pair << " of " << panels << " panels");
          CHECK(part == expected);
        }
      }
    }
  }
}

TEST_CASE("add_matvec adds matvec's result times a factor", "[kernels]") {
  Fuzz fuzz(3);
  for (const kernels::Kernels* target : kernels::available()) {
    for (const DType dtype : {DType::f32, DType::f16, DType::bf16}) {
      for (std::size_t rows = 1; rows <= 5 * target->panel_rows; rows += 3) {
        const auto stored = heed::test::stored_rows(dtype, rows, 16, fuzz);
        const Packed w(*target, dtype, rows, 16, stored);
        Activations x(*target, 1, 16, fuzz.reals(16));
        const std::size_t pairs = kernels::panel_pairs(w.panels()), cut = pairs / 2;
        std::vector<float> expected = fuzz.reals(rows), y = expected, product(rows);
        target->matvec(w.matrix(), x.input(), nullptr, 0, pairs, product.data(), rows, x.scratch());
        target->add_scaled(expected.data(), product.data(), -1.7f, rows);
        target->add_matvec(w.matrix(), x.input(), -1.7f, cut, pairs, y.data());
        target->add_matvec(w.matrix(), x.input(), -1.7f, 0, cut, y.data());
        INFO(target->name << ", " << rows << " rows");
        CHECK(y == expected);
      }
    }
  }
}

TEST_CASE("extreme codes do not overflow a product", "[kernels]") {
  // every weight and every activation of the largest magnitude, with either sign
  for (const kernels::Kernels* target : kernels::available()) {
    for (const auto& [dtype, name, gguf_code, block_values, block] : heed::kDTypes) {
      if (!kernels::takes_int8(dtype)) continue;
      for (const std::uint8_t code : {0x00, 0x80, 0x7f, 0xff}) {
        for (const float activation : {1.0f, -1.0f}) {
          constexpr std::size_t kColumns = 256;
          std::vector<std::byte> stored(heed::row_bytes(dtype, kColumns), std::byte{code});
          for (std::size_t at = 0; at < stored.size(); at += block) {
            for (const std::size_t field : heed::test::half_fields(dtype)) {
              stored[at + field] = std::byte{0};
              stored[at + field + 1] = std::byte{0x3c};  // 1
            }
            if (dtype == DType::mxfp4) stored[at] = std::byte{127};  // 1
            if (dtype == DType::iq1_m) heed::test::put_iq1_m_scale(stored.data() + at, 0x3c00);
          }
          const Packed w(*target, dtype, 1, kColumns, stored);
          Activations x(*target, 1, kColumns, std::vector<float>(kColumns, activation));
          float y = 0;
          target->matmul(w.matrix(), x.input(), nullptr, 0, 1, &y, 1, x.scratch());
          const auto values = heed::test::dequantize(dtype, stored.data(), kColumns);
          double expected = 0;
          for (const double value : values) expected += value * activation;
          INFO(target->name << ", " << name << ", bytes " << int{code});
          CHECK(std::fabs(y - expected) <= 20 * kUnit * std::fabs(expected));
        }
      }
    }
  }
}

TEST_CASE("activations are quantized to the nearest of 255 steps", "[kernels]") {
  Fuzz fuzz(1);
  const kernels::Kernels& scalar = kernels::select("scalar");
  for (const float magnitude : {1e-30f, 1e-6f, 1.0f, 1e6f, 1e36f}) {
    const Activations made(scalar, 1, 320, fuzz.reals(320, magnitude));
    const NaiveActivations naive(made.values());
    CHECK(made.codes() == naive.codes);
    CHECK(made.scales() == naive.scales);
    for (std::size_t i = 0; i < 320; ++i) {
      const double steps = static_cast<double>(made.values()[i]) / made.scales()[i / 32];
      CHECK(std::fabs(made.codes()[i] - steps) <= 0.5 + 127 * 3 * kUnit);
    }
  }
}

TEST_CASE("activations of 32 zeros, or too small to divide by, quantize to zero", "[kernels]") {
  for (const kernels::Kernels* target : kernels::available()) {
    for (const float tiny : {0.0f, -0.0f, 1e-45f, 1e-38f}) {
      std::vector<float> values(32, tiny);
      values[5] = 0.0f;
      const Activations made(*target, 1, 32, values);
      CHECK(made.codes() == std::vector<std::int8_t>(32));
      CHECK(made.sums() == std::vector<std::int32_t>(2));
    }
  }
}

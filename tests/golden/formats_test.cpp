// Every weight format against ggml's quantizer: the values that its rows stand for, and products with them.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstring>
#include <string>

#include "formats/gguf.hpp"
#include "kernels/dispatch.hpp"
#include "support/files.hpp"
#include "support/fuzz.hpp"
#include "unit/kernels/packed.hpp"

using namespace heed;

namespace {

/// A stored tensor and its values.
struct Stored {
  DType dtype;
  std::size_t rows, columns;
  std::vector<std::byte> bytes;
  std::vector<float> values;
};

std::vector<Stored> read_tensors() {
  const std::vector<std::byte> bytes = test::read_bytes(test::golden_data("formats.gguf"));
  const formats::TensorFile file = formats::read_gguf_header(bytes);
  const auto data = [&](const std::string& name) {
    const formats::TensorInfo* tensor = file.find(name);
    if (!tensor) FAIL("formats.gguf has no " << name);
    return std::span(bytes).subspan(static_cast<std::size_t>(tensor->offset), static_cast<std::size_t>(tensor->bytes));
  };
  std::vector<Stored> all;
  for (const DTypeInfo& type : kDTypes) {
    const std::string name(type.name);
    const auto stored = data(name), values = data(name + ".values");
    const formats::TensorInfo& tensor = *file.find(name);
    REQUIRE(tensor.dtype == type.dtype);
    Stored& read = all.emplace_back(Stored{type.dtype, tensor.rows(), tensor.columns(), {stored.begin(), stored.end()}, {}});
    read.values.resize(read.rows * read.columns);
    REQUIRE(values.size() == read.values.size() * sizeof(float));
    std::memcpy(read.values.data(), values.data(), values.size());
  }
  return all;
}

/// The activations as a product of this format reads them: exact, or quantized.
std::vector<double> activations_read(const test::Activations& x, DType dtype, std::size_t columns) {
  std::vector<double> read(x.values().begin(), x.values().end());
  if (!kernels::takes_int8(dtype)) return read;
  for (std::size_t i = 0; i < read.size(); ++i)
    read[i] = static_cast<double>(x.codes()[i]) * static_cast<double>(x.scales()[i / columns * (columns / 32) + i % columns / 32]);
  return read;
}

}  // namespace

TEST_CASE("weights in every format unpack to ggml's values, bit for bit", "[golden]") {
  for (const Stored& tensor : read_tensors()) {
    for (const kernels::Kernels* target : kernels::available()) {
      INFO(target->name << ", " << info(tensor.dtype).name);
      const test::Packed w(*target, tensor.dtype, tensor.rows, tensor.columns, tensor.bytes);
      std::vector<float> unpacked(tensor.values.size());
      for (std::size_t row = 0; row < tensor.rows; ++row)
        target->unpack_row(w.matrix(), row, unpacked.data() + row * tensor.columns);
      CHECK(std::memcmp(unpacked.data(), tensor.values.data(), unpacked.size() * sizeof(float)) == 0);
    }
  }
}

TEST_CASE("products with weights in every format are those of ggml's values", "[golden]") {
  constexpr std::size_t kTokens = 6;
  constexpr double kRounding = 32 * 0x1p-24;  // for sums of 512 terms, relative to their largest possible value
  test::Fuzz fuzz(1);
  for (const Stored& tensor : read_tensors()) {
    for (const kernels::Kernels* target : kernels::available()) {
      const test::Packed w(*target, tensor.dtype, tensor.rows, tensor.columns, tensor.bytes);
      test::Activations x(*target, kTokens, tensor.columns, fuzz.reals(kTokens * tensor.columns, 3));
      std::vector<float> y(kTokens * tensor.rows);
      target->matmul(w.matrix(), x.input(), nullptr, 0, w.panels(), y.data(), tensor.rows, x.scratch());

      const std::vector<double> read = activations_read(x, tensor.dtype, tensor.columns);
      for (std::size_t i = 0; i < y.size(); ++i) {
        const double* of_token = read.data() + i / tensor.rows * tensor.columns;
        const float* row = tensor.values.data() + i % tensor.rows * tensor.columns;
        double sum = 0, activations = 0, largest = 0;
        for (std::size_t k = 0; k < tensor.columns; ++k) {
          sum += static_cast<double>(row[k]) * of_token[k];
          activations += std::fabs(of_token[k]);
          largest = std::max(largest, std::fabs(static_cast<double>(row[k])));
        }
        INFO(target->name << ", " << info(tensor.dtype).name << ", token " << i / tensor.rows << ", row " << i % tensor.rows);
        CHECK(std::fabs(static_cast<double>(y[i]) - sum) <= kRounding * activations * largest);
      }
    }
  }
}

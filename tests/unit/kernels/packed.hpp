// A weight matrix packed for one target, in memory of exactly its size.
#pragma once

#include <cstddef>
#include <cstring>
#include <vector>

#include "kernels/kernels.hpp"
#include "tensor/buffer.hpp"

namespace heed::test {

class Packed {
 public:
  /// `stored`: the rows, one after the other, as a file has them.
  Packed(const kernels::Kernels& kernels, DType dtype, std::size_t rows, std::size_t columns, const std::vector<std::byte>& stored)
      : panels_((rows + kernels.panel_rows - 1) / kernels.panel_rows) {
    const std::size_t panel_bytes = kernels.panel_bytes(dtype, columns);
    storage_ = Buffer<std::byte>(panels_ * panel_bytes);
    matrix_ = {dtype, rows, columns, panel_bytes, storage_.data()};
    for (std::size_t row = 0; row < rows; ++row) kernels.pack_row(matrix_, row, stored.data() + row * row_bytes(dtype, columns));
  }

  const kernels::PackedMatrix& matrix() const { return matrix_; }
  std::size_t panels() const { return panels_; }

 private:
  std::size_t panels_;
  Buffer<std::byte> storage_;
  kernels::PackedMatrix matrix_;
};

/// Activations with the codes that quantized weights read, made by `kernels`.
class Activations {
 public:
  Activations(const kernels::Kernels& kernels, std::size_t tokens, std::size_t columns, std::vector<float> values)
      : tokens_(tokens), columns_(columns), values_(std::move(values)) {
    scratch_ = Buffer<std::byte>(kernels::matmul_scratch(columns));
    if (columns % 32 != 0) return;
    quantized_ = Buffer<std::byte>(kernels::quantized_bytes(tokens, columns));
    if (kernels.widen) widened_ = Buffer<std::int16_t>(tokens * columns);
    quantize_tokens(kernels, input(), 0, tokens, quantized_.data(), widened_.data());
    for (std::size_t t = 0; t < tokens; ++t)
      for (std::size_t b = 0; b < columns / 32; ++b) read_block(t, b);
  }

  kernels::MatmulInput input() const { return {tokens_, columns_, values_.data(), quantized_.data(), widened_.data()}; }
  /// For one product at a time.
  std::byte* scratch() { return scratch_.data(); }
  const std::vector<float>& values() const { return values_; }
  const std::vector<std::int8_t>& codes() const { return codes_; }
  const std::vector<float>& scales() const { return scales_; }
  /// Minus the sum of the first 16 codes, then of all 32, for each block.
  const std::vector<std::int32_t>& sums() const { return sums_; }

 private:
  /// Takes one token's block of 32 k out of its group, as kernels.hpp describes it.
  void read_block(std::size_t t, std::size_t b) {
    const std::size_t n = kernels::group_size(t, tokens_), first = t / n * n, lane = t - first;
    const std::byte* block = quantized_.data() + kernels::quantized_bytes(first, columns_) + b * kernels::quantized_bytes(n, 32);
    const auto take = [](auto& list, const std::byte* from) { std::memcpy(&list.emplace_back(), from, sizeof list.back()); };
    for (std::size_t k = 0; k < 32; ++k) take(codes_, block + (k / 4 * n + lane) * 4 + k % 4);
    take(scales_, block + n * 32 + lane * 4);
    take(sums_, block + n * 36 + lane * 4);
    take(sums_, block + n * 40 + lane * 4);
  }

  std::size_t tokens_, columns_;
  std::vector<float> values_;
  Buffer<std::byte> quantized_, scratch_;
  Buffer<std::int16_t> widened_;
  std::vector<std::int8_t> codes_;
  std::vector<float> scales_;
  std::vector<std::int32_t> sums_;
};

}  // namespace heed::test

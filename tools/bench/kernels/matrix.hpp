// Matrices in the layout that kernels read, with arbitrary contents.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <vector>

#include "kernels/kernels.hpp"
#include "sampling/random.hpp"
#include "tensor/buffer.hpp"

namespace heed::bench {

/// Stored blocks. Bytes in this range make every float in them, of any width, an ordinary number.
inline std::vector<std::byte> stored_bytes(std::size_t count) {
  sampling::Random random(1);
  std::vector<std::byte> bytes(count);
  for (auto& byte : bytes) byte = static_cast<std::byte>(0x20 + random.next() % 0x20);
  return bytes;
}

/// Packed weights in `storage`, which is reused for all matrices. Only the first panel is packed; the others are copies of it.
inline kernels::PackedMatrix packed_matrix(const kernels::Kernels& kernels, DType dtype, std::size_t rows, std::size_t columns,
                                           Buffer<std::byte>& storage) {
  const std::size_t panels = rows / kernels.panel_rows, bytes = kernels.panel_bytes(dtype, columns);
  if (storage.size() < panels * bytes) {
    storage = {};
    storage = Buffer<std::byte>(panels * bytes);
  }
  const kernels::PackedMatrix matrix{dtype, rows, columns, bytes, storage.data()};
  const auto stored = stored_bytes(row_bytes(dtype, columns));
  for (std::size_t row = 0; row < kernels.panel_rows; ++row) kernels.pack_row(matrix, row, stored.data());
  for (std::size_t panel = 1; panel < panels; ++panel) std::memcpy(matrix.data + panel * bytes, matrix.data, bytes);
  return matrix;
}

/// Activations of a product, in both forms.
class Activations {
 public:
  Activations(const kernels::Kernels& kernels, std::size_t tokens, std::size_t columns)
      : values_(tokens * columns),
        widened_(tokens * columns),
        quantized_(kernels::quantized_bytes(tokens, columns)),
        scratch_(kernels::matmul_scratch(columns)) {
    sampling::Random random(2);
    for (auto& value : values_) value = static_cast<float>(random.next() % 2001) / 1000 - 1;
    input_ = {tokens, columns, values_.data(), quantized_.data(), widened_.data()};
    quantize_tokens(kernels, input_, 0, tokens, quantized_.data(), kernels.widen ? widened_.data() : nullptr);
  }

  const kernels::MatmulInput& input() const { return input_; }
  float* values() { return values_.data(); }
  std::byte* quantized() { return quantized_.data(); }
  std::byte* scratch() { return scratch_.data(); }

 private:
  std::vector<float> values_;
  std::vector<std::int16_t> widened_;
  Buffer<std::byte> quantized_, scratch_;
  kernels::MatmulInput input_;
};

}  // namespace heed::bench

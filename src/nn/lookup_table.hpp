// A matrix that is only read one row at a time: its rows keep the file's format, which matters for large tables.
#pragma once

#include <algorithm>
#include <cstddef>

#include "kernels/kernels.hpp"
#include "nn/scratch.hpp"
#include "tensor/buffer.hpp"

namespace heed::nn {

class LookupTable {
 public:
  LookupTable() = default;
  LookupTable(DType dtype, std::size_t rows, std::size_t columns)
      : dtype_(dtype), columns_(columns), row_bytes_(row_bytes(dtype, columns)), rows_(std::uint64_t{rows} * row_bytes_) {}

  std::byte* stored() noexcept { return rows_.data(); }

  /// Memory that read() needs, in bytes: a panel of kPiece columns, which is largest for floats.
  static constexpr std::size_t kPiece = 256;
  static constexpr std::size_t kPanelBytes = kernels::kPanelVectors * kernels::kWide * kPiece * sizeof(float);

  /// The exact values of a row: out[columns]. They go through a panel, as weights do, so that each type has only one decoder.
  /// panel: kPanelBytes, aligned like a Buffer.
  void read(std::size_t row, std::byte* panel, float* out, const kernels::Kernels& kernels) const noexcept {
    for (std::size_t first = 0; first < columns_; first += kPiece) {
      const std::size_t count = std::min(kPiece, columns_ - first);
      const kernels::PackedMatrix piece{dtype_, 1, count, kernels.panel_bytes(dtype_, count), panel};
      kernels.pack_row(piece, 0, rows_.data() + row * row_bytes_ + row_bytes(dtype_, first));
      kernels.unpack_row(piece, 0, out + first);
    }
  }

 private:
  DType dtype_ = DType::f32;
  std::size_t columns_ = 0, row_bytes_ = 0;
  Buffer<std::byte> rows_;
};

}  // namespace heed::nn

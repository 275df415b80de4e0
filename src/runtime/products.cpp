#include "runtime/products.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "nn/linear.hpp"
#include "runtime/workspace.hpp"

namespace heed::runtime {
namespace {

/// Packs the caller's matrix as a weight matrix, whose rows are the caller's columns.
nn::Linear packed(const CallersMatrix& from, std::size_t k, Workspace& workspace) {
  const kernels::Kernels& kernels = workspace.model().kernels();
  ThreadPool& pool = workspace.model().pool();
  const std::size_t panel = kernels.panel_rows, panel_bytes = kernels.panel_bytes(DType::f32, k);
  nn::Linear linear;
  linear.storage = Buffer<std::byte>((from.columns + panel - 1) / panel * panel_bytes);
  linear.matrix = {DType::f32, from.columns, k, panel_bytes, linear.storage.data()};
  const auto pack = [&](std::size_t row, const float* values) {
    kernels.pack_row(linear.matrix, row, reinterpret_cast<const std::byte*>(values));
  };
  if (from.transposed) {
    pool.parallel_for(from.columns, panel, [&](std::size_t begin, std::size_t end, std::size_t) noexcept {
      for (std::size_t row = begin; row < end; ++row) pack(row, from.values.data() + row * k);
    });
    return linear;
  }
  std::vector<float> turned(pool.threads() * panel * k);
  pool.parallel_for(from.columns, panel, [&](std::size_t begin, std::size_t end, std::size_t thread) noexcept {
    float* const rows = turned.data() + thread * panel * k;
    for (; begin < end; begin += panel) {
      const std::size_t count = std::min(panel, end - begin);
      for (std::size_t i = 0; i < k; ++i)  // reads adjacent columns together, because rows may be far apart in memory
        for (std::size_t row = 0; row < count; ++row) rows[row * k + i] = from.values[i * from.columns + begin + row];
      for (std::size_t row = 0; row < count; ++row) pack(begin + row, rows + row * k);
    }
  });
  return linear;
}

}  // namespace

std::vector<float> multiply(Workspace& workspace, std::span<const float> x, std::size_t rows, const CallersMatrix& matrix) {
  const std::size_t k = rows > 0 ? x.size() / rows : 0;
  if (k == 0 || x.size() != rows * k || matrix.values.size() != k * matrix.columns)
    throw Error(ErrorCode::invalid_argument, "does not match the rows that it is multiplied by", "matrix");
  workspace.model().pool().use(workspace.model().pool().threads());
  const nn::Linear linear = packed(matrix, k, workspace);
  std::vector<float> products(rows * matrix.columns);
  nn::Pass pass = workspace.make_pass({}, rows);
  nn::project(x.data(), rows, {{&linear, products.data()}}, pass);
  return products;
}

}  // namespace heed::runtime

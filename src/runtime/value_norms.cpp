#include "runtime/value_norms.hpp"

#include <cmath>

#include "nn/block.hpp"

namespace heed::runtime {
namespace {

/// y (keys x rows) = x (keys x columns) times columns [first, first + columns) of rows [0, rows) of a matrix, transposed.
std::vector<double> product(const std::vector<double>& x, std::size_t keys, const nn::Linear& linear, std::size_t first,
                            std::size_t columns, const kernels::Kernels& kernels) {
  const std::size_t rows = linear.matrix.rows;
  const double scale = linear.scale.empty() ? 1.0 : static_cast<double>(linear.scale[0]);
  std::vector<float> row(linear.matrix.columns);
  std::vector<double> y(keys * rows);
  for (std::size_t i = 0; i < rows; ++i) {
    kernels.unpack_row(linear.matrix, i, row.data());
    for (std::size_t key = 0; key < keys; ++key) {
      double sum = 0;
      for (std::size_t k = 0; k < columns; ++k) sum += static_cast<double>(row[first + k]) * x[key * columns + k];
      y[key * rows + i] = scale * sum;
    }
  }
  return y;
}

}  // namespace

std::vector<float> value_norms(const nn::Block& block, std::size_t head, std::span<const float> values, std::size_t count,
                               const kernels::Kernels& kernels) {
  std::vector<double> read(values.begin(), values.end());
  if (const nn::Linear* up = block.values_up(head)) read = product(read, count, *up, 0, values.size() / count, kernels);
  const nn::Linear& output = *block.heads_output();
  const std::size_t columns = read.size() / count, width = output.matrix.rows;
  const std::vector<double> written = product(read, count, output, head * columns, columns, kernels);
  std::vector<float> norms;
  for (std::size_t key = 0; key < count; ++key) {
    double squares = 0;
    for (std::size_t i = key * width; i < (key + 1) * width; ++i) squares += written[i] * written[i];
    norms.push_back(static_cast<float>(std::sqrt(squares)));
  }
  return norms;
}

}  // namespace heed::runtime

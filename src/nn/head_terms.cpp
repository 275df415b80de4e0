#include "nn/head_terms.hpp"

#include <numeric>

namespace heed::nn {
namespace {

/// written (rows x heads) += scale * the product of each head's columns of the matrix and its output.
void add_written(const Linear& linear, std::span<const float> outputs, std::size_t heads, double scale,
                 const kernels::Kernels& kernels, std::span<double> written) {
  const std::size_t dim = outputs.size() / heads;
  std::vector<float> row(outputs.size());
  for (std::size_t i = 0; i < linear.matrix.rows; ++i) {
    kernels.unpack_row(linear.matrix, i, row.data());
    for (std::size_t column = 0; column < row.size(); ++column)
      written[i * heads + column / dim] += scale * static_cast<double>(row[column]) * static_cast<double>(outputs[column]);
  }
}

/// As add_written(), for B A of an adapter: B times the product of A and each head's output.
void add_adapted(const AdaptedRows& use, const Linear& linear, std::span<const float> outputs, std::size_t heads,
                 const kernels::Kernels& kernels, std::span<double> written) {
  const LowRank* const factors = use.adapter->find(linear);
  if (!factors) return;
  const Linear& down = use.adapter->down(*factors);
  const std::size_t rank = down.matrix.rows;
  const double scale = static_cast<double>(use.scale) * static_cast<double>(use.adapter->scale(rank));
  std::vector<double> low(rank * heads);
  add_written(down, outputs, heads, scale, kernels, low);
  std::vector<float> row(rank);
  for (std::size_t i = 0; i < linear.matrix.rows; ++i) {
    kernels.unpack_row(factors->up.matrix, i, row.data());
    for (std::size_t k = 0; k < low.size(); ++k) written[i * heads + k % heads] += static_cast<double>(row[k / heads]) * low[k];
  }
}

}  // namespace

HeadTerms head_terms(const Sublayer& sublayer, std::span<const float> outputs, std::size_t heads, std::vector<double> u,
                     std::span<const AdaptedRows> adapted, const kernels::Kernels& kernels) {
  const Linear& linear = *sublayer.block().output();
  const std::size_t width = linear.matrix.rows;
  const double scale = linear.scale.empty() ? 1.0 : static_cast<double>(linear.scale[0]);
  std::vector<double> written(width * heads), sums(width);  // D x heads, and the block's output
  add_written(linear, outputs, heads, scale, kernels, written);
  for (const AdaptedRows& use : adapted) add_adapted(use, linear, outputs, heads, kernels, written);
  for (std::size_t i = 0; i < width; ++i) {
    const auto own = std::span(written).subspan(i * heads, heads);
    sums[i] = std::accumulate(own.begin(), own.end(), linear.bias.empty() ? 0.0 : static_cast<double>(linear.bias[i]));
  }
  if (sublayer.post_norm()) sublayer.post_norm()->pull_back(sums, u);
  HeadTerms terms{std::vector<double>(heads)};
  for (std::size_t i = 0; i < width; ++i) {
    const double along = u[i] * static_cast<double>(sublayer.residual_scale());
    for (std::size_t head = 0; head < heads; ++head) terms.heads[head] += along * written[i * heads + head];
    if (!linear.bias.empty()) terms.bias += along * static_cast<double>(linear.bias[i]);
  }
  return terms;
}

}  // namespace heed::nn

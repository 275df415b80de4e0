#include "nn/head_terms.hpp"

#include <numeric>

namespace heed::nn {

HeadTerms head_terms(const Sublayer& sublayer, std::span<const float> outputs, std::size_t heads, std::vector<double> u,
                     const kernels::Kernels& kernels) {
  const Linear& linear = *sublayer.block().heads_output();
  const std::size_t width = linear.matrix.rows, dim = outputs.size() / heads;
  const double scale = linear.scale.empty() ? 1.0 : static_cast<double>(linear.scale[0]);
  std::vector<float> row(linear.matrix.columns);
  std::vector<double> written(width * heads), sums(width);  // D x heads, and what the block gives
  for (std::size_t i = 0; i < width; ++i) {
    kernels.unpack_row(linear.matrix, i, row.data());
    for (std::size_t column = 0; column < row.size(); ++column)
      written[i * heads + column / dim] += scale * static_cast<double>(row[column]) * static_cast<double>(outputs[column]);
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

#include "nn/adapters/adaptation.hpp"

#include <algorithm>

#include "nn/pass.hpp"

namespace heed::nn {

void Adaptation::add(const Linear& linear, const float* x, std::size_t tokens, const std::size_t* rows, float* out,
                     Pass& pass) const noexcept {
  const auto index_of = [&](std::size_t row) {  // of the first token in this row or a later one
    return rows ? static_cast<std::size_t>(std::lower_bound(rows, rows + tokens, row) - rows) : std::min(row, tokens);
  };
  for (const AdaptedRows& use : adapted_) {
    const LowRank* const factors = use.adapter->find(linear);
    if (!factors) continue;
    const Linear& down = use.adapter->down(*factors);
    const std::size_t rank = down.matrix.rows, columns = down.matrix.columns, height = factors->up.matrix.rows;
    const std::size_t end = index_of(use.end), most = scratch_.size() / (rank + height);
    const float scale = use.scale * use.adapter->scale(rank);
    for (std::size_t t = index_of(use.first); t < end;) {
      const std::size_t count = std::min(most, end - t);
      float* const low = scratch_.data();
      float* const delta = low + count * rank;
      const Product lower{&down, x + t * columns, count, low};
      multiply({&lower, 1}, pass);
      const Product upper{&factors->up, low, count, delta};
      multiply({&upper, 1}, pass);
      pass.pool.parallel_for(count, 8, [&](std::size_t from, std::size_t to, std::size_t) noexcept {
        pass.kernels.add_scaled(out + (t + from) * height, delta + from * height, scale, (to - from) * height);
      });
      t += count;
    }
  }
}

void Adaptation::add_to_embedding(std::size_t token, std::size_t row, float* out, float* delta,
                                  const kernels::Kernels& kernels) const noexcept {
  for (const AdaptedRows& use : adapted_) {
    const LowRankEmbedding* const embedding = use.adapter->embedding();
    if (!embedding || row < use.first || row >= use.end) continue;
    const kernels::PackedMatrix& up = embedding->up.matrix;
    const kernels::MatmulInput input{1, embedding->rank, embedding->rows.data() + token * embedding->rank, nullptr};
    const std::size_t panels = (up.rows + kernels.panel_rows - 1) / kernels.panel_rows;
    kernels.matvec(up, input, nullptr, 0, kernels::panel_pairs(panels), delta);
    kernels.add_scaled(out, delta, use.scale * use.adapter->scale(embedding->rank), up.rows);
  }
}

}  // namespace heed::nn

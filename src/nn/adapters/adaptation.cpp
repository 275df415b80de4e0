#include "nn/adapters/adaptation.hpp"

#include <algorithm>

#include "nn/pass.hpp"

namespace heed::nn {

void Adaptation::add_to_embedding(std::size_t token, std::size_t row, float* out, float* delta,
                                  const kernels::Kernels& kernels) const noexcept {
  for (const AdaptedRows& use : adapted_) {
    const LowRankEmbedding* const embedding = use.adapter->embedding();
    if (!embedding || row < use.first || row >= use.end) continue;
    const kernels::PackedMatrix& up = embedding->up.matrix;
    const kernels::MatmulInput input{1, embedding->rank, embedding->rows.data() + token * embedding->rank, nullptr};
    const std::size_t panels = (up.rows + kernels.panel_rows - 1) / kernels.panel_rows;
    kernels.matvec(up, input, nullptr, 0, kernels::panel_pairs(panels), delta, 0, nullptr);
    kernels.add_scaled(out, delta, use.scale * use.adapter->scale(embedding->rank), up.rows);
  }
}

Additions::Additions(const Adaptation& adaptation, std::span<const Product> products) noexcept
    : adaptation_(adaptation), products_(products) {
  take();
}

/// Takes as many of the next additions as there is room for. Returns false if none are left.
bool Additions::take() noexcept {
  lower_count_ = upper_count_ = 0;
  std::span<float> free = adaptation_.scratch_;
  for (; product_ < products_.size(); ++product_, use_ = 0) {
    const Product& product = products_[product_];
    for (; use_ < adaptation_.adapted_.size(); ++use_, token_ = 0) {
      const AdaptedRows& use = adaptation_.adapted_[use_];
      const LowRank* const factors = use.adapter->find(*product.linear);
      if (!factors) continue;
      const Linear& down = use.adapter->down(*factors);
      const std::size_t rank = down.matrix.rows, columns = down.matrix.columns, height = factors->up.matrix.rows;
      const auto index_of = [&](std::size_t row) {  // index of the first token whose row is at least this
        return product.rows
                   ? static_cast<std::size_t>(std::lower_bound(product.rows, product.rows + product.tokens, row) - product.rows)
                   : std::min(row, product.tokens);
      };
      const std::size_t end = index_of(use.end);
      token_ = std::max(token_, index_of(use.first));
      if (token_ >= end) continue;
      const std::size_t count = std::min(free.size() / (rank + height), end - token_);
      if (count == 0 || upper_count_ == kMost) return true;
      const float* const x = product.x + token_ * columns;
      const Product* const last = lower_count_ == 0 ? nullptr : &lower_[lower_count_ - 1];
      float* low = free.data();
      if (last && last->linear == &down && last->x == x && last->tokens == count) {  // parts of a fused matrix share A
        low = last->out;
      } else {
        lower_[lower_count_++] = {&down, x, count, low};
        free = free.subspan(count * rank);
      }
      upper_[upper_count_++] = {&use,
                                {.linear = &factors->up,
                                 .x = low,
                                 .tokens = count,
                                 .out = free.data(),
                                 .sum = product.out + token_ * height,
                                 .factor = use.scale * use.adapter->scale(rank)}};
      free = free.subspan(count * height);
      token_ += count;
      if (token_ < end) return true;
    }
  }
  return upper_count_ > 0;
}

/// Adds B (A x) for the products that take() took, in the order of the adapters.
void Additions::add(Pass& pass) const noexcept {
  for (const AdaptedRows& use : adaptation_.adapted_) {
    Product products[kMost];
    std::size_t count = 0;
    for (const Upper& upper : std::span(upper_, upper_count_))
      if (upper.use == &use) products[count++] = upper.product;
    multiply({products, count}, pass);
  }
}

void Additions::finish(Pass& pass) noexcept {
  if (upper_count_ == 0) return;
  add(pass);
  while (take()) {
    multiply(lower(), pass);
    add(pass);
  }
}

}  // namespace heed::nn

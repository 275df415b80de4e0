#include "nn/linear.hpp"

#include <algorithm>

#include "nn/pass.hpp"

namespace heed::nn {
namespace {

std::size_t panels_of(const Linear& linear, const kernels::Kernels& kernels) noexcept {
  return (linear.matrix.rows + kernels.panel_rows - 1) / kernels.panel_rows;
}

bool reads_int8(const Linear& linear) noexcept { return kernels::takes_int8(linear.matrix.dtype); }

/// The panels of all `matrices` are one range of work, in small chunks, because cores differ in speed. Calls
/// work(matrix, begin, end, thread) for panels of one matrix.
template <class Matrices, class LinearOf, class Work>
void for_each_panel(const Matrices& matrices, LinearOf linear_of, Pass& pass, Work work) noexcept {
  std::size_t panels = 0;
  for (const auto& m : matrices) panels += panels_of(linear_of(m), pass.kernels);
  const std::size_t chunk = std::max<std::size_t>(1, panels / (pass.pool.used() * 16));
  pass.pool.parallel_for(panels, chunk, [&](std::size_t begin, std::size_t end, std::size_t thread) noexcept {
    std::size_t first = 0;  // of this matrix
    for (const auto& m : matrices) {
      const std::size_t count = panels_of(linear_of(m), pass.kernels);
      const std::size_t from = std::max(begin, first), to = std::min(end, first + count);
      if (from < to) work(m, from - first, to - first, thread);
      first += count;
    }
  });
}

}  // namespace

void project(const float* x, std::size_t tokens, std::initializer_list<Projection> projections, Pass& pass) noexcept {
  const kernels::Kernels& kernels = pass.kernels;
  std::byte* quantised = pass.scratch.quantised();
  const kernels::MatmulInput input{tokens, projections.begin()->linear->matrix.columns, x, quantised};
  if (std::any_of(projections.begin(), projections.end(), [](const auto& p) { return reads_int8(*p.linear); })) {
    pass.pool.parallel_for(tokens, kernels::kTokenGroup, [&](std::size_t begin, std::size_t end, std::size_t) noexcept {
      for (std::size_t t = begin; t < end; ++t) kernels.quantise(input, t, quantised);
    });
  }
  const auto linear_of = [](const Projection& p) -> const Linear& { return *p.linear; };
  for_each_panel(projections, linear_of, pass,
                 [&](const Projection& p, std::size_t begin, std::size_t end, std::size_t thread) noexcept {
                   kernels.matmul(p.linear->matrix, input, p.linear->bias.data(), begin, end, p.out,
                                  p.linear->matrix.rows, pass.scratch.expanded(thread));
                 });
}

void multiply(std::span<const Product> products, Pass& pass) noexcept {
  if (products.empty()) return;
  const kernels::Kernels& kernels = pass.kernels;
  const std::size_t columns = products[0].linear->matrix.columns;
  const auto shares_input = [&](const Product* p) { return p != products.data() && p->x == (p - 1)->x; };
  const auto input_of = [&](const Product& product) {
    std::size_t before = 0;  // tokens of other inputs
    for (const Product* p = &product; p != products.data(); --p)
      if (!shares_input(p)) before += (p - 1)->tokens;
    return kernels::MatmulInput{product.tokens, columns, product.x,
                                pass.scratch.quantised() + kernels::quantised_bytes(before, columns)};
  };
  if (std::any_of(products.begin(), products.end(), [](const auto& p) { return reads_int8(*p.linear); })) {
    pass.pool.parallel_for(products.size(), 1, [&](std::size_t begin, std::size_t end, std::size_t) noexcept {
      for (const Product* p = products.data() + begin; p != products.data() + end; ++p) {
        if (shares_input(p)) continue;
        const kernels::MatmulInput input = input_of(*p);
        for (std::size_t t = 0; t < p->tokens; ++t)
          kernels.quantise(input, t, const_cast<std::byte*>(input.quantised));
      }
    });
  }
  const auto linear_of = [](const Product& p) -> const Linear& { return *p.linear; };
  for_each_panel(products, linear_of, pass,
                 [&](const Product& p, std::size_t begin, std::size_t end, std::size_t thread) noexcept {
                   kernels.matmul(p.linear->matrix, input_of(p), p.linear->bias.data(), begin, end, p.out,
                                  p.linear->matrix.rows, pass.scratch.expanded(thread));
                 });
}

}  // namespace heed::nn

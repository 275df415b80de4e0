#include "nn/linear.hpp"

#include <algorithm>

#include "nn/pass.hpp"

namespace heed::nn {
namespace {

std::size_t panels_of(const Linear& linear, const kernels::Kernels& kernels) noexcept {
  return (linear.matrix.rows + kernels.panel_rows - 1) / kernels.panel_rows;
}

}  // namespace

void project(const float* x, std::size_t tokens, std::initializer_list<Projection> projections, Pass& pass) noexcept {
  const kernels::Kernels& kernels = pass.kernels;
  Scratch& scratch = pass.scratch;
  const std::size_t columns = projections.begin()->linear->matrix.columns;
  const kernels::MatmulInput input{tokens, columns, x, scratch.quantised.data()};

  const auto reads_int8 = [](const Projection& p) { return kernels::takes_int8(p.linear->matrix.dtype); };
  if (std::any_of(projections.begin(), projections.end(), reads_int8)) {
    pass.pool.parallel_for(tokens, kernels::kTokenGroup, [&](std::size_t begin, std::size_t end, std::size_t) noexcept {
      for (std::size_t t = begin; t < end; ++t) kernels.quantise(input, t, scratch.quantised.data());
    });
  }

  // The panels of all the matrices are one range of work, in small chunks, because cores differ in speed.
  std::size_t panels = 0;
  for (const Projection& p : projections) panels += panels_of(*p.linear, kernels);
  const std::size_t chunk = std::max<std::size_t>(1, panels / (pass.pool.used() * 16));
  pass.pool.parallel_for(panels, chunk, [&](std::size_t begin, std::size_t end, std::size_t thread) noexcept {
    std::byte* expanded = scratch.expanded.data() + thread * (scratch.expanded.size() / pass.pool.threads());
    std::size_t first = 0;  // of this matrix
    for (const Projection& p : projections) {
      const std::size_t count = panels_of(*p.linear, kernels);
      const std::size_t from = std::max(begin, first), to = std::min(end, first + count);
      if (from < to)
        kernels.matmul(p.linear->matrix, input, p.linear->bias.data(), from - first, to - first, p.out,
                       p.linear->matrix.rows, expanded);
      first += count;
    }
  });
}

}  // namespace heed::nn

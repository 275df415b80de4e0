#include "nn/linear.hpp"

#include <algorithm>

#include "nn/pass.hpp"

namespace heed::nn {
namespace {

std::size_t panels_of(const Linear& linear, const kernels::Kernels& kernels) noexcept {
  return (linear.matrix.rows + kernels.panel_rows - 1) / kernels.panel_rows;
}

/// Panels cut for threads to take in turn: three quarters in large pieces, the rest in small ones, so that all threads
/// end at nearly the same time without taking pieces all the time.
class Pieces {
 public:
  Pieces(std::size_t panels, std::size_t threads) noexcept
      : panels_(panels),
        large_(std::max<std::size_t>(1, panels / (threads * 8))),
        small_(std::max<std::size_t>(1, large_ / 4)),
        larges_(panels / 4 * 3 / large_) {}

  std::size_t count() const noexcept { return larges_ + (panels_ - larges_ * large_ + small_ - 1) / small_; }
  std::size_t begin(std::size_t piece) const noexcept {
    if (piece <= larges_) return piece * large_;
    return std::min(panels_, larges_ * large_ + (piece - larges_) * small_);
  }

 private:
  std::size_t panels_, large_, small_, larges_;
};

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

  // The panels of all the matrices are one range of work.
  std::size_t panels = 0;
  for (const Projection& p : projections) panels += panels_of(*p.linear, kernels);
  const Pieces pieces(panels, pass.pool.used());
  pass.pool.parallel_for(pieces.count(), 1, [&](std::size_t piece, std::size_t, std::size_t) noexcept {
    const std::size_t begin = pieces.begin(piece), end = pieces.begin(piece + 1);
    std::size_t first = 0;  // of this matrix
    for (const Projection& p : projections) {
      const std::size_t count = panels_of(*p.linear, kernels);
      const std::size_t from = std::max(begin, first), to = std::min(end, first + count);
      if (from < to)
        kernels.matmul(p.linear->matrix, input, p.linear->bias.data(), from - first, to - first, p.out,
                       p.linear->matrix.rows);
      first += count;
    }
  });
}

}  // namespace heed::nn

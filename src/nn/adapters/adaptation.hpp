// The adapters of one pass: which of its tokens go through which, added where a matrix is multiplied (nn/linear.hpp).
#pragma once

#include <cstddef>
#include <span>

#include "nn/adapters/adapter.hpp"

namespace heed::nn {

struct Pass;

/// An adapter for rows [first, end) of a pass.
struct AdaptedRows {
  const Adapter* adapter;
  float scale;
  std::size_t first, end;
};

class Adaptation {
 public:
  /// The order of `adapted` is that in which what they give is added. `scratch`: at least the largest Adapter::scratch() of them; the
  /// more, the more tokens are multiplied at a time. Both must outlive it.
  Adaptation(std::span<const AdaptedRows> adapted, std::span<float> scratch) : adapted_(adapted), scratch_(scratch) {}

  /// out += what the adapters give for x. x: tokens x K; out: tokens x the matrix's rows; rows: of the pass, of each token, ascending;
  /// nullptr: from 0 on.
  void add(const Linear& linear, const float* x, std::size_t tokens, const std::size_t* rows, float* out,
           Pass& pass) const noexcept;

  /// The same for the embedding of a token in row `row` of the pass. delta: scratch of D floats.
  void add_to_embedding(std::size_t token, std::size_t row, float* out, float* delta,
                        const kernels::Kernels& kernels) const noexcept;

 private:
  std::span<const AdaptedRows> adapted_;
  std::span<float> scratch_;
};

}  // namespace heed::nn

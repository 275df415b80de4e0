// The contribution of each head to the residual stream along one direction.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "nn/adapters/adaptation.hpp"
#include "nn/stack.hpp"

namespace heed::nn {

struct HeadTerms {
  std::vector<double> heads;
  double bias = 0;  // contribution of the output matrix's bias
};

/// outputs: the input of the block's output matrix for one token, heads x dim; u: the direction, D; adapted: the token's adapters.
/// The block must have output(). Sums in double precision, so that every target gives the same bits. Throws std::bad_alloc.
HeadTerms head_terms(const Sublayer& sublayer, std::span<const float> outputs, std::size_t heads, std::vector<double> u,
                     std::span<const AdaptedRows> adapted, const kernels::Kernels& kernels);

}  // namespace heed::nn

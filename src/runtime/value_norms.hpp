// Norms of cached values as they enter the residual stream, by which attention weights can be multiplied (arXiv:2004.10102).
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "kernels/kernels.hpp"

namespace heed::nn {
class Block;
}

namespace heed::runtime {

/// For each of `count` cached values of a head: its norm after the head's part of the block's output matrix, without the bias, and
/// before a norm that may follow. In double precision, with the same bits on every target. Throws std::bad_alloc.
std::vector<float> value_norms(const nn::Block& block, std::size_t head, std::span<const float> values, std::size_t count,
                               const kernels::Kernels& kernels);

}  // namespace heed::runtime

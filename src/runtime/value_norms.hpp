// How long the values of a text are as they enter the residual stream: the norms that weigh attention by what it carries
// (arXiv:2004.10102).
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "kernels/kernels.hpp"

namespace heed::nn {
class Block;
}

namespace heed::runtime {

/// Of each of `count` cached values of a head: the norm after the head's part of the block's output matrix, without its bias, and before a
/// norm that may follow. In double: the same on every target. Throws std::bad_alloc.
std::vector<float> value_norms(const nn::Block& block, std::size_t head, std::span<const float> values, std::size_t count,
                               const kernels::Kernels& kernels);

}  // namespace heed::runtime

// Creates the blocks of sublayers from their specs.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "nn/block.hpp"
#include "nn/rope.hpp"
#include "nn/weights.hpp"

namespace heed::nn {

/// Creates the block of the layer `name`, and requests its tensors. width: D. ropes: must contain the RoPE in the block's traits,
/// and outlive the block. Throws invalid_file for a tensor that is missing or has the wrong shape.
std::unique_ptr<Block> make_block(const BlockSpec& spec, std::size_t width, const std::string& name, const std::vector<Rope>& ropes,
                                  Weights& weights);

ScratchNeed block_need(const BlockSpec& spec, const PassLimits& limits);

BlockTraits block_traits(const BlockSpec& spec, std::size_t width);

}  // namespace heed::nn

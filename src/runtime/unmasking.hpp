// Writing with a masked diffusion model (arXiv:2502.09992): a pass predicts all masked tokens of a text, and the most certain
// predictions replace their masks.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "runtime/workspace.hpp"
#include "sampling/logprobs.hpp"
#include "sampling/sampler.hpp"

namespace heed::runtime {

/// A token in the place of a mask.
struct Unmasked {
  std::size_t position;
  sampling::TokenProbability token;
};

/// Runs a text, and draws a token for each mask in [from, end). Returns the drawn tokens whose probability is at least 0.9
/// (arXiv:2505.22618), and in any case the most probable one, in order; empty if there is no mask, absent if the pass was
/// interrupted. The tokens that the text already has count for penalties. Throws unsupported for a model that predicts no masks;
/// invalid_argument for a range outside the text, and as EncoderRun and Sampler do.
std::optional<std::vector<Unmasked>> unmask(Workspace& workspace, std::span<const tokenizer::TokenId> text, std::size_t from,
                                            std::size_t end, sampling::SamplerOptions options);

}  // namespace heed::runtime

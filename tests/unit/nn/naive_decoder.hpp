// A decoder written out in double from the papers' formulas, a token at a time, without caches or batches.
#pragma once

#include <vector>

#include "nn/spec.hpp"
#include "unit/nn/tensors.hpp"

namespace heed::test {

/// Logits of every position, T x V. Rotates the pairs that spec.attention.rope says, in the file's own order
/// of rows.
std::vector<double> naive_logits(const nn::DecoderSpec& spec, const Tensors& tensors,
                                 const std::vector<int>& tokens);

/// Radians that pair i of a head turns at `position`, and the factor of cosine and sine.
double naive_angle(const nn::RopeSpec& rope, std::size_t pair, std::size_t position, double divisor = 1);
double naive_magnitude(const nn::RopeSpec& rope);

}  // namespace heed::test

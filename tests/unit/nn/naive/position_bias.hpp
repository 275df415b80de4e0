// Biases by distance: ALiBi (arXiv:2108.12409) and T5's buckets (arXiv:1910.10683).
#pragma once

#include <cstdint>
#include <cstdlib>

#include "nn/spec.hpp"
#include "unit/nn/naive/parameters.hpp"

namespace heed::test::naive {

/// For 2^k heads the geometric series that starts at, and whose ratio is, 2^(-steepest / 2^k). Other numbers of heads take
/// the slopes of the power of two below, then the 1st, 3rd, 5th, ... of the power above (the paper's code).
inline double slope(std::size_t heads, std::size_t head, double steepest) {
  std::size_t below = 1;
  while (below * 2 <= heads) below *= 2;
  const auto of_power = [&](std::size_t n, std::size_t i) {
    return std::pow(std::pow(2.0, -steepest / static_cast<double>(n)), static_cast<double>(i + 1));
  };
  return head < below ? of_power(below, head) : of_power(2 * below, 2 * (head - below));
}

/// T5's bucket: a distance each up to half of the buckets, then bucket exact + k from
/// exact * (furthest / exact)^(k / (buckets - exact)) on.
inline std::size_t bucket(std::ptrdiff_t key_minus_query, std::size_t buckets, std::size_t furthest, bool both_sides) {
  std::size_t offset = 0;
  std::ptrdiff_t before = -key_minus_query;
  if (both_sides) {
    buckets /= 2;
    if (before < 0) offset = buckets;
    before = std::abs(before);
  }
  if (before < 0) before = 0;
  const std::size_t exact = buckets / 2, distance = static_cast<std::size_t>(before);
  if (distance < exact) return offset + distance;
  // compared as powers, which are exact for the distances where buckets meet
  const double steps = static_cast<double>(buckets - exact);
  const double reached = std::pow(static_cast<double>(distance) / static_cast<double>(exact), steps);
  const double growth = static_cast<double>(furthest) / static_cast<double>(exact);
  std::size_t k = 0;
  while (k + 1 < buckets - exact && reached >= std::pow(growth, static_cast<double>(k + 1))) ++k;
  return offset + exact + k;
}

/// The bias of a key's score; `blocks` is the prefix of the stack's first layer.
inline double position_bias(const nn::PositionBiasSpec& spec, const nn::AttentionSpec& attention, std::size_t head,
                            std::size_t query, std::size_t key, const std::string& first_block, const Parameters& parameters) {
  const auto distance = static_cast<std::ptrdiff_t>(key) - static_cast<std::ptrdiff_t>(query);
  if (spec.kind == nn::PositionBiasKind::linear)
    return -slope(attention.heads, head, spec.steepest) * static_cast<double>(std::abs(distance));
  const std::size_t row = bucket(distance, spec.buckets, spec.furthest, attention.mask == nn::Mask::none);
  return parameters.row(first_block + "attn_rel_b.weight", row)[head];
}

}  // namespace heed::test::naive

// Sorts portions of growing size, each selected from the unsorted rest of the keys.
#include "sampling/ranking.hpp"

#include <algorithm>
#include <bit>
#include <functional>

namespace heed::sampling {
namespace {

std::uint64_t key(float score, std::uint32_t id) {
  // Floats compare like their bits as unsigned integers after inverting all bits of negative ones and the sign bit of others.
  // Adding 0 turns -0 into 0.
  const auto bits = std::bit_cast<std::uint32_t>(score + 0.0f);
  const std::uint32_t ordered = bits ^ (bits >> 31 ? 0xffffffffu : 0x80000000u);
  return std::uint64_t{ordered} << 32 | static_cast<std::uint32_t>(~id);
}

}  // namespace

void Ranking::assign(std::span<const float> scores) {
  keys_.resize(scores.size());
  for (std::size_t id = 0; id < scores.size(); ++id) keys_[id] = key(scores[id], static_cast<std::uint32_t>(id));
  sorted_ = 0;
}

std::int32_t Ranking::operator[](std::size_t rank) {
  if (rank >= sorted_) sort_up_to(rank);
  return static_cast<std::int32_t>(~static_cast<std::uint32_t>(keys_[rank]));
}

void Ranking::sort_up_to(std::size_t rank) {
  constexpr std::size_t kFirstPortion = 64;
  constexpr std::size_t kGrowth = 4;
  constexpr std::size_t kHeapPortion = 512;  // up to this size, a heap, which few keys enter, is faster than partitioning
  const std::size_t target = std::min(keys_.size(), std::max({kFirstPortion, sorted_ * kGrowth, rank + 1}));
  const auto begin = keys_.begin() + static_cast<std::ptrdiff_t>(sorted_);
  const auto end = keys_.begin() + static_cast<std::ptrdiff_t>(target);
  if (target <= kHeapPortion) {
    std::partial_sort(begin, end, keys_.end(), std::greater());
  } else {
    if (end != keys_.end()) std::nth_element(begin, end, keys_.end(), std::greater());
    std::sort(begin, end, std::greater());
  }
  sorted_ = target;
}

}  // namespace heed::sampling

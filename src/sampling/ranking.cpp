// Sorts in growing portions, each a heap selection over what is not sorted yet.
#include "sampling/ranking.hpp"

#include <algorithm>
#include <numeric>

namespace heed::sampling {

void Ranking::assign(std::span<const float> scores) {
  scores_ = scores;
  order_.resize(scores.size());
  std::iota(order_.begin(), order_.end(), 0);
  sorted_ = 0;
}

std::int32_t Ranking::operator[](std::size_t rank) {
  constexpr std::size_t kFirstPortion = 64;
  constexpr std::size_t kGrowth = 4;
  if (rank >= sorted_) {
    const auto target = std::min(order_.size(), std::max({kFirstPortion, sorted_ * kGrowth, rank + 1}));
    const auto better = [scores = scores_.data()](std::int32_t a, std::int32_t b) {
      return scores[a] > scores[b] || (scores[a] == scores[b] && a < b);
    };
    const auto at = [this](std::size_t i) { return order_.begin() + static_cast<std::ptrdiff_t>(i); };
    std::partial_sort(at(sorted_), at(target), order_.end(), better);
    sorted_ = target;
  }
  return order_[rank];
}

}  // namespace heed::sampling

// The ids of a vector of scores from best to worst, sorted only as far as somebody looks: a vocabulary has
// 10^5 ids, and the interesting ones are the first few dozen.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace heed::sampling {

class Ranking {
 public:
  /// Ranks ids 0 to V-1 by `scores` (V of them, no NaN). Linear in V; the memory is kept for the next call.
  void assign(std::span<const float> scores);

  std::size_t size() const noexcept { return keys_.size(); }

  /// The id of rank `rank` (0 is the best): by score, equal scores by id, lowest first, so the order is the
  /// same everywhere. Reading the best k takes O(V + k log k) in all, for k up to V.
  std::int32_t operator[](std::size_t rank);

 private:
  void sort_up_to(std::size_t rank);

  // One integer an id, larger for better: the score's bits, made to compare as integers, then the inverted
  // id.
  std::vector<std::uint64_t> keys_;
  std::size_t sorted_ = 0;
};

}  // namespace heed::sampling

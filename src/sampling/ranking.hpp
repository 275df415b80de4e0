// Token ids by descending score, sorted lazily: a vocabulary has 10^5 ids, of which a few dozen are read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace heed::sampling {

class Ranking {
 public:
  /// Ranks ids 0 to V - 1. scores: V, without NaN. O(V). Memory is reused by the next call.
  void assign(std::span<const float> scores);

  std::size_t size() const noexcept { return keys_.size(); }

  /// The id at `rank`, from 0: by descending score, equal scores by ascending id. Reading the first k ids takes O(V + k log k) in
  /// total.
  std::int32_t operator[](std::size_t rank);

 private:
  void sort_up_to(std::size_t rank);

  std::vector<std::uint64_t> keys_;  // score << 32 | ~id, with the score's bits mapped to an ordered integer
  std::size_t sorted_ = 0;           // length of the sorted prefix
};

}  // namespace heed::sampling

// Sums blocks in floats, sixteen at a time, since it runs over the whole vocabulary for each token, and adds the blocks in doubles,
// so that many small weights are not lost beside a large one.
#include "sampling/softmax.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include "sampling/score.hpp"

namespace heed::sampling {

double softmax_total(std::span<const float> logits, float best) noexcept {
  constexpr std::size_t kLanes = 16, kBlock = 256;
  const auto weight = [best](float logit) { return softmax_weight(usable_score(logit) - best); };
  double total = 0.0;
  for (std::size_t begin = 0; begin < logits.size(); begin += kBlock) {
    const auto block = logits.subspan(begin, std::min(kBlock, logits.size() - begin));
    const std::size_t whole = block.size() / kLanes * kLanes;
    std::array<float, kLanes> lanes{};
    for (std::size_t i = 0; i < whole; i += kLanes)
      for (std::size_t lane = 0; lane < kLanes; ++lane) lanes[lane] += weight(block[i + lane]);
    for (const float lane : lanes) total += static_cast<double>(lane);
    for (const float logit : block.subspan(whole)) total += static_cast<double>(weight(logit));
  }
  return total;
}

}  // namespace heed::sampling

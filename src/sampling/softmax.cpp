// The sum in eight lanes, by the lowest bits of the id: enough for any vector unit, and one order for all.
#include "sampling/softmax.hpp"

#include <array>
#include <cstddef>

#include "sampling/score.hpp"

namespace heed::sampling {

double softmax_total(std::span<const float> logits, float best) noexcept {
  constexpr std::size_t kLanes = 8;
  std::array<double, kLanes> lanes{};
  const auto weight = [most = static_cast<double>(best)](float logit) {
    return softmax_weight(static_cast<double>(usable_score(logit)) - most);
  };
  const std::size_t whole = logits.size() / kLanes * kLanes;
  for (std::size_t i = 0; i < whole; i += kLanes)
    for (std::size_t lane = 0; lane < kLanes; ++lane) lanes[lane] += weight(logits[i + lane]);
  for (std::size_t i = whole; i < logits.size(); ++i) lanes[i - whole] += weight(logits[i]);

  double total = 0.0;
  for (const double lane : lanes) total += lane;
  return total;
}

}  // namespace heed::sampling

// In floats, sixteen at a time and the same on every target, because it runs over a whole vocabulary for each token;
// block by block in doubles, so that many small weights count beside a large one.
#include "sampling/softmax.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include "sampling/score.hpp"

namespace heed::sampling {
namespace {

constexpr std::size_t kLanes = 16, kBlock = 256;

/// softmax_weight in floats: within 3e-7 relative, exactly 0 below -87.
constexpr float weight(float difference) noexcept {
  constexpr float kLeast = -87.0f, kInverseLn2 = 0x1.715476p+0f, kLn2High = 0x1.63p-1f, kLn2Low = -0x1.bd0106p-13f;
  constexpr float kRounder = 0x1.8p23f;
  const float x = difference > kLeast ? difference : kLeast;
  const float shifted = x * kInverseLn2 + kRounder;
  const float n = shifted - kRounder;
  const float r = x - n * kLn2High - n * kLn2Low;
  constexpr float kInverseFactorials[] = {1.0f / 5040, 1.0f / 720, 1.0f / 120, 1.0f / 24, 1.0f / 6, 0.5f, 1.0f, 1.0f};
  float series = 0.0f;
  for (const float coefficient : kInverseFactorials) series = series * r + coefficient;
  const float power = std::bit_cast<float>((std::bit_cast<std::uint32_t>(shifted) + 127) << 23);
  return difference >= kLeast ? series * power : 0.0f;
}

}  // namespace

double softmax_total(std::span<const float> logits, float best) noexcept {
  double total = 0.0;
  for (std::size_t begin = 0; begin < logits.size(); begin += kBlock) {
    const auto block = logits.subspan(begin, std::min(kBlock, logits.size() - begin));
    const std::size_t whole = block.size() / kLanes * kLanes;
    std::array<float, kLanes> lanes{};
    for (std::size_t i = 0; i < whole; i += kLanes)
      for (std::size_t lane = 0; lane < kLanes; ++lane) lanes[lane] += weight(usable_score(block[i + lane]) - best);
    for (const float lane : lanes) total += static_cast<double>(lane);
    for (const float logit : block.subspan(whole)) total += static_cast<double>(weight(usable_score(logit) - best));
  }
  return total;
}

}  // namespace heed::sampling

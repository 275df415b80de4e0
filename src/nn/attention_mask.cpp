#include "nn/attention_mask.hpp"

#include <algorithm>

namespace heed::nn {

PositionRange AttentionMask::seen_from(const Segment& segment, std::size_t t, std::size_t positions) const noexcept {
  if (kind == Mask::group) return segment.groups[t];
  const bool causal = kind == Mask::causal || kind == Mask::earlier;
  const std::size_t position = segment.position + t;
  std::size_t end = kind == Mask::causal ? position + 1 : causal ? position : positions;
  if (whole_tiles && segment.groups) end = std::max(end, segment.groups[t].end);
  if (window == 0) return {0, end};
  if (chunked) return {position / window * window, end};
  const std::size_t back = causal ? window - 1 : window / 2;
  return {position > back ? position - back : 0, causal ? end : std::min(end, position + window / 2 + 1)};
}

}  // namespace heed::nn

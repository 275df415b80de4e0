// What a sequence keeps for its drafts; copied and cut with the sequence.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "nn/pass.hpp"

namespace heed::runtime {

struct DraftMemory {
  std::uint64_t fingerprint = 0;          // of the file with the drafter's weights
  std::optional<nn::KvCache> cache = {};  // of heads that have their own keys and values
  std::vector<float> rows = {};           // the last rows that the decoder has handed on
  std::size_t width = 0;                  // floats in a row
  std::size_t lag = 0;                    // how many positions fewer the cache has than the sequence
  std::size_t end = 0;                    // the position after that of the last row

  /// The row of the position before `position`; nullptr if it is not kept.
  const float* before(std::size_t position) const noexcept {
    return end == position && !rows.empty() ? rows.data() + rows.size() - width : nullptr;
  }
  /// Replaces the kept rows by these, which end at `position`. Throws std::bad_alloc.
  void keep(std::span<const float> last, std::size_t position) {
    rows.assign(last.begin(), last.end());
    end = position;
  }
  /// Whether this memory is complete for a sequence of `length` tokens: it keeps rows, and reads(length).
  bool reaches(std::size_t length) const noexcept { return width != 0 && length > 0 && reads(length); }
  /// Whether the cache is complete for a sequence of `length` tokens.
  bool reads(std::size_t length) const noexcept { return !cache || cache->length() + std::min(lag, length) == length; }
  /// Appends what is kept for a sequence of `length` tokens, with its size; nothing unless reaches(length).
  void save(std::vector<std::byte>& saved, std::size_t length, const kernels::Kernels& kernels, ThreadPool& pool) const;
  /// Restores bytes that were saved with the same draft file; skips bytes of another. Returns the number of bytes read. Throws
  /// std::bad_alloc, and std::out_of_range if they are not what save() writes.
  std::size_t load(std::span<const std::byte> saved, std::size_t length, const kernels::Kernels& kernels, ThreadPool& pool);
  void cut(std::size_t length) noexcept {
    if (cache) cache->cut(length - std::min(lag, length));
    if (length >= end) return;
    rows.resize(rows.size() - std::min(rows.size(), (end - length) * width));
    end = length;
  }
};

/// Keeps the last rows of a segment: as many as may be needed once a draft is taken back. Throws std::bad_alloc.
inline void keep_last(DraftMemory& memory, const float* handed, const nn::Segment& segment) {
  constexpr std::size_t kRows = 16;
  const std::size_t kept = std::min(segment.count, kRows);
  memory.keep({handed + (segment.row + segment.count - kept) * memory.width, kept * memory.width}, segment.end());
}

}  // namespace heed::runtime

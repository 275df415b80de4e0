// What a sequence keeps for its drafts: copied with it, and cut where it is cut.
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
  std::uint64_t fingerprint = 0;          // of the file that drafts
  std::optional<nn::KvCache> cache = {};  // of heads with keys and values of their own
  std::vector<float> rows = {};           // of the last tokens, what the decoder hands on
  std::size_t width = 0;                  // of a row
  std::size_t lag = 0;                    // how many positions the cache lies behind
  std::size_t end = 0;                    // the position after the last row's

  /// The row of the position before `position`; nullptr if it is not kept.
  const float* before(std::size_t position) const noexcept {
    return end == position && !rows.empty() ? rows.data() + rows.size() - width : nullptr;
  }
  /// Keeps the last ones of these rows, which end at `position`. Throws std::bad_alloc.
  void keep(std::span<const float> last, std::size_t position) {
    rows.assign(last.begin(), last.end());
    end = position;
  }
  /// Whether it goes as far as a sequence of so many tokens.
  bool reaches(std::size_t length) const noexcept { return width != 0 && length > 0 && reads(length); }
  /// Whether the cache goes as far as a sequence of so many tokens.
  bool reads(std::size_t length) const noexcept { return !cache || cache->length() + std::min(lag, length) == length; }
  /// Appends what is kept of a sequence of so many tokens, if it reaches that far, and the size of it all.
  void save(std::vector<std::byte>& saved, std::size_t length, const kernels::Kernels& kernels, ThreadPool& pool) const;
  /// Restores saved bytes of the same file; others are skipped. Returns the number of bytes read. Throws std::bad_alloc, and
  /// std::out_of_range if they are not what save() writes.
  std::size_t load(std::span<const std::byte> saved, std::size_t length, const kernels::Kernels& kernels, ThreadPool& pool);
  void cut(std::size_t length) noexcept {
    if (cache) cache->cut(length - std::min(lag, length));
    if (length >= end) return;
    rows.resize(rows.size() - std::min(rows.size(), (end - length) * width));
    end = length;
  }
};

/// Keeps the last of a pass's rows for a segment: all that a draft may be taken back to. Throws std::bad_alloc.
inline void keep_last(DraftMemory& memory, const float* handed, const nn::Segment& segment) {
  constexpr std::size_t kRows = 16;
  const std::size_t kept = std::min(segment.count, kRows);
  memory.keep({handed + (segment.row + segment.count - kept) * memory.width, kept * memory.width}, segment.end());
}

}  // namespace heed::runtime

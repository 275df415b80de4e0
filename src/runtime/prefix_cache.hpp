// A cache of unused sequences: a prompt that begins like one of them continues from a copy instead of processing that prefix again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <span>

#include "runtime/sequence.hpp"

namespace heed::runtime {

class PrefixCache {
 public:
  /// Keeps at most `bytes` of sequences; memory shared with sequences in use counts in part. The workspace must outlive it.
  PrefixCache(Workspace& workspace, std::uint64_t bytes) : workspace_(workspace), bytes_(bytes) {}

  /// A copy of the cached sequence that has the longest common prefix with `prompt`, processed with the same changes; beyond that
  /// prefix, its tokens or changes may differ. An empty sequence if there is no common prefix.
  Sequence find(std::span<const TokenId> prompt, const Changes& changes = {});

  /// Replaces the sequence by find(prompt, changes) if that shares a longer prefix with `prompt`.
  void improve(Sequence& sequence, std::span<const TokenId> prompt, const Changes& changes = {});

  /// Caches a sequence, and drops those that are a prefix of it; then drops the least recently used ones until the rest fits.
  void keep(Sequence sequence) noexcept;

  /// Drops the least recently used sequence or, if there is none, returns unused memory to the system. Returns false if there was
  /// nothing to free.
  bool drop_oldest();
  void clear();

  std::size_t size() const noexcept { return kept_.size(); }

 private:
  std::uint64_t used_bytes() const noexcept;

  Workspace& workspace_;
  std::uint64_t bytes_;
  std::list<Sequence> kept_;  // most recently used first
};

}  // namespace heed::runtime

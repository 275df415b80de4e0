// A cache of sequences that are no longer in use, for prompts with a common prefix: such a prefix is read only once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <span>

#include "runtime/sequence.hpp"

namespace heed::runtime {

class PrefixCache {
 public:
  /// Keeps sequences that use at most `bytes`; what they share with sequences in use counts in part. The workspace must outlive it.
  PrefixCache(Workspace& workspace, std::uint64_t bytes) : workspace_(workspace), bytes_(bytes) {}

  /// A copy of the cached sequence with the longest common prefix with `prompt`, as read by these placed changes, beyond which it may hold
  /// other tokens, or have read them by others; an empty sequence if there is no common prefix.
  Sequence find(std::span<const TokenId> prompt, const Changes& changes = {});

  /// Replaces the sequence by find(prompt, changes) if the common prefix of that with `prompt` is longer.
  void improve(Sequence& sequence, std::span<const TokenId> prompt, const Changes& changes = {});

  /// Caches a sequence, and drops those that are a prefix of it; then drops the least recently used until the others fit.
  void keep(Sequence sequence) noexcept;

  /// Drops the least recently used sequence or, if there is none, returns unused memory to the system. False if nothing is left.
  bool drop_oldest();
  void clear();

  std::size_t size() const noexcept { return kept_.size(); }

 private:
  std::uint64_t used_bytes() const noexcept;

  Workspace& workspace_;
  std::uint64_t bytes_;
  std::list<Sequence> kept_;  // the most recently used is first
};

}  // namespace heed::runtime

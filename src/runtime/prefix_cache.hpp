// Sequences that nobody is reading or writing any more, for prompts that begin alike: whatever two texts have in common is read
// once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <span>

#include "runtime/sequence.hpp"

namespace heed::runtime {

class PrefixCache {
 public:
  /// Keeps sequences of a workspace while they take at most so many bytes; what they share with texts in use counts in part. The
  /// workspace must outlive it.
  PrefixCache(Workspace& workspace, std::uint64_t bytes) : workspace_(workspace), bytes_(bytes) {}

  /// A sequence that begins as `prompt` does, as far as any does that is kept; perhaps empty. It may hold more than that.
  Sequence find(std::span<const TokenId> prompt);

  /// Replaces a sequence by what find() gives if more of that is what `prompt` begins with.
  void improve(Sequence& sequence, std::span<const TokenId> prompt);

  /// Keeps a sequence; one that it begins with is not needed any more. The least recently used go where there is no room.
  void keep(Sequence sequence);

  /// Gives memory back; false where there is nothing left to give.
  bool drop_oldest();
  void clear();

  std::size_t size() const noexcept { return kept_.size(); }

 private:
  std::uint64_t taken() const noexcept;

  Workspace& workspace_;
  std::uint64_t bytes_;
  std::list<Sequence> kept_;  // the most recently used first
};

}  // namespace heed::runtime

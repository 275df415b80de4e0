// Continuous batching with chunked prefill (https://www.usenix.org/conference/osdi22/presentation/yu, arXiv:2308.16369): a pass
// runs the next token of each decoding generation, and is filled up with prompt tokens of generations in prefill, so that a long
// prompt delays the others by at most one pass at a time.
#pragma once

#include <cstddef>
#include <deque>
#include <span>
#include <vector>

#include "runtime/generate.hpp"

namespace heed::runtime {

class PrefixCache;

/// Runs one pass of at most info().parallel generations, none of which may have ended. Each decoding generation runs one token, and
/// guesses if no generation is in prefill and guesses pay off. Generations in prefill share the rest of kMaxBatch, in their order.
/// Encoders run in separate passes before. Returns false if interrupted, without a change. Throws out_of_memory, as
/// Sequence::make_room does.
bool run_together(Workspace& workspace, std::span<Generation* const> generations);

class Scheduler {
 public:
  /// Drops sequences of `prefix_cache` when memory is short.
  Scheduler(Workspace& workspace, PrefixCache& prefix_cache) : workspace_(workspace), prefix_cache_(prefix_cache) {}

  /// Runs the generation in the next passes until it ends, fails or is removed; the generation must live until then. If there are
  /// more than info().parallel, those added last wait.
  void add(Generation& generation) { waiting_.push_back(&generation); }
  void remove(Generation& generation) noexcept;
  bool idle() const noexcept { return active_.empty() && waiting_.empty(); }

  /// Runs one pass. If memory is short, some generations wait until others end; if none can run, one fails. If a pass fails, each
  /// of its generations runs again alone, so that only those at fault fail. The caller should free the sequences of failed
  /// generations.
  void step();

 private:
  Workspace& workspace_;
  PrefixCache& prefix_cache_;
  std::vector<Generation*> active_;  // the first one in prefill is served first
  std::deque<Generation*> waiting_;
};

}  // namespace heed::runtime

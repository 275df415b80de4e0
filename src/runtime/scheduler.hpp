// Several texts written at once: in each pass the next token of all that write, and as much of the prompts of others as there is
// room for, so that a long prompt holds nobody up for more than a pass (continuous batching with chunked prompts,
// https://www.usenix.org/conference/osdi22/presentation/yu and arXiv:2308.16369).
#pragma once

#include <cstddef>
#include <deque>
#include <span>
#include <vector>

#include "base/error.hpp"
#include "runtime/generate.hpp"

namespace heed::runtime {

class PrefixCache;

/// One pass for all of these, at most info().parallel, none of them ended: those that write get a token each and the guesses
/// that pay, those that read what is left of kMaxBatch, in their order. One that needs an encoder run gets that, by itself.
/// False where it was interrupted: then nothing has changed. Throws out_of_memory, as Sequence::make_room.
bool run_together(Workspace& workspace, std::span<Generation* const> generations);

class Scheduler {
 public:
  /// `kept` gives memory back where it is short.
  Scheduler(Workspace& workspace, PrefixCache& kept) : workspace_(workspace), kept_(kept) {}

  /// It takes part in the next passes until it has ended, failed or been removed; it must live as long. Of more than
  /// info().parallel, those that came last wait.
  void add(Generation& generation) { waiting_.push_back(&generation); }
  void remove(Generation& generation) noexcept;
  bool idle() const noexcept { return active_.empty() && waiting_.empty(); }

  struct Failure {
    Generation* generation;
    Error error;
  };
  /// One pass for those whose turn it is. Where memory is short, some wait until others end; where that helps nobody, one
  /// fails, and is returned: its sequence should give its memory back.
  std::vector<Failure> step();

 private:
  Workspace& workspace_;
  PrefixCache& kept_;
  std::vector<Generation*> active_;  // the first that reads is the next to get room
  std::deque<Generation*> waiting_;
};

}  // namespace heed::runtime

#include "runtime/scheduler.hpp"

#include <algorithm>
#include <exception>
#include <new>
#include <optional>

#include "base/error.hpp"
#include "runtime/prefix_cache.hpp"
#include "runtime/speculation/worth.hpp"

namespace heed::runtime {
namespace {

constexpr std::size_t kMostGuesses = 15;

/// A generation's part of a pass: tokens followed by guesses.
struct Turn {
  Generation* generation;
  std::size_t tokens;
  std::vector<Guess> guesses = {};
};

/// Guesses run only if no generation is in prefill, because prompt tokens make better use of the pass. A whole tile that does not
/// fit beside others runs alone once its generation is the first in prefill.
std::vector<Turn> plan(std::span<Generation* const> generations, Workspace& workspace) {
  std::vector<Turn> turns;
  std::size_t room = kMaxBatch;
  const bool anyone_prefills = std::ranges::any_of(generations,
                                                   [](const Generation* generation) { return generation->prefilling(); });
  for (Generation* const generation : generations)
    if (!generation->prefilling()) turns.push_back({generation, 1});
  room -= turns.size();
  const bool anyone_drafts = std::ranges::any_of(turns, [](const Turn& turn) { return turn.generation->drafts(); });
  const bool open = anyone_drafts && !anyone_prefills && workspace.draft_trials().of(turns.size()).opens();
  for (Turn& turn : turns) {
    if (anyone_prefills) break;
    const std::size_t others = kMaxBatch - room;
    const std::size_t most = std::min(kMostGuesses, room);
    turn.guesses = turn.generation->guesses(most, others, open);
    turn.guesses.resize(std::max(worthwhile(turn.guesses, others, workspace.costs()),
                                 std::min(turn.guesses.size(), turn.generation->due_guesses())));
    room -= turn.guesses.size();
  }
  bool first = true;
  for (Generation* const generation : generations) {
    if (!generation->prefilling() || room == 0) continue;
    const std::size_t count = generation->portion(room);
    if (count > room && first) return {{generation, count}};
    first = false;
    if (count > room) continue;
    turns.push_back({generation, count});
    room -= count;
  }
  return turns;
}

bool run(Workspace& workspace, std::span<const Turn> turns) {
  std::vector<ForwardInput> inputs;
  std::size_t rows = 0, tokens = 0;
  bool compares = true;  // whether DraftTrials counts the pass: it has neither prompt tokens nor guesses other than drafts
  for (const Turn& turn : turns) {
    compares = compares && !turn.generation->prefilling() && (turn.guesses.empty() || workspace.draft_trials().has_drafts());
    inputs.push_back(turn.generation->next_input(turn.tokens, turn.guesses));
    rows += inputs.back().rows;
  }
  std::span<float> logits = workspace.logits(rows);
  if (!forward(workspace, inputs, logits)) return false;
  const double seconds = workspace.seconds();
  for (std::size_t i = 0; i < turns.size(); ++i) {
    const std::size_t count = inputs[i].rows * workspace.model().info().vocabulary,
                      before = turns[i].generation->generated().size();
    turns[i].generation->finish_pass(logits.first(count), seconds);
    tokens += turns[i].generation->generated().size() - before;
    logits = logits.subspan(count);
  }
  if (workspace.drafter()) workspace.draft_trials().took(compares ? turns.size() : 0, seconds, tokens);
  return true;
}

}  // namespace

bool run_together(Workspace& workspace, std::span<Generation* const> generations) {
  for (Generation* const generation : generations)
    if (!generation->run_encoder()) return false;
  return run(workspace, plan(generations, workspace));
}

void Scheduler::remove(Generation& generation) noexcept {
  std::erase(active_, &generation);
  std::erase(waiting_, &generation);
}

void Scheduler::step() {
  while (active_.size() < workspace_.model().info().parallel && !waiting_.empty()) {
    active_.push_back(waiting_.front());
    waiting_.pop_front();
  }
  /// Calls run() for a generation, which fails if run() throws. Returns false if interrupted.
  const auto goes_on = [](Generation& generation, const auto& run) {
    try {
      return run();
    } catch (const Error& error) {
      generation.fail(error);
    } catch (const std::bad_alloc&) {
      generation.fail(no_memory());
    }
    return true;
  };
  const auto drop_ended = [&] { std::erase_if(active_, [](const Generation* generation) { return generation->ended(); }); };
  drop_ended();
  for (Generation* const generation : active_)
    if (!goes_on(*generation, [&] { return generation->run_encoder(); })) return;
  drop_ended();

  std::vector<Generation*> able = active_;
  std::vector<Turn> turns;
  std::optional<Error> shortage;
  const auto has_no_room = [&](const Turn& turn) {
    for (;;) {
      try {
        turn.generation->sequence().make_room(turn.tokens + turn.guesses.size());
        return false;
      } catch (const Error& error) {
        if (prefix_cache_.drop_oldest()) continue;
        shortage = error;
        std::erase(able, turn.generation);
        return true;
      }
    }
  };
  for (bool planned = true; planned && turns.empty();) {  // plans again if no planned generation has found memory
    turns = plan(able, workspace_);
    planned = !turns.empty();
    std::erase_if(turns, has_no_room);
  }
  if (turns.empty()) {
    if (shortage) active_.back()->fail(*shortage);  // only a failure frees memory
    drop_ended();
    return;
  }

  bool apart = turns.size() == 1;
  if (!apart) {
    try {
      if (!run(workspace_, turns)) return;
    } catch (const std::exception&) {  // if one of them is at fault, it also fails alone, and the others do not
      apart = true;
    }
  }
  if (apart)
    for (const Turn& turn : turns)
      if (!goes_on(*turn.generation, [&] { return run(workspace_, {&turn, 1}); })) return;

  for (const Turn& turn : turns) {  // the next pass serves another prompt first
    if (!turn.generation->prefilling() || std::erase(active_, turn.generation) == 0) continue;
    active_.push_back(turn.generation);
  }
  drop_ended();
}

}  // namespace heed::runtime

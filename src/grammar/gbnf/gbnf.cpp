#include "grammar/gbnf/gbnf.hpp"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "grammar/gbnf/parser.hpp"
#include "grammar/gbnf/program.hpp"
#include "grammar/gbnf/stacks.hpp"
#include "grammar/interner.hpp"
#include "grammar/transitions.hpp"

namespace heed::grammar {
namespace gbnf {
namespace {

/// An instruction to execute, with the count of its loop and the stack of its rule.
using Thread = Return;

/// A thread within a terminal: the derivative of the terminal so far.
struct Item {
  std::uint32_t next;  // instruction after the terminal
  Stack stack;
  Regular regular;

  auto operator<=>(const Item&) const = default;
};

class GbnfLanguage final : public Language {
 public:
  GbnfLanguage(std::string_view text, std::shared_ptr<Workspace> workspace)
      : workspace_(std::move(workspace)), program_(compile(parse(text, pool_, budget_), pool_, budget_)), stacks_(budget_) {
    intern(false);  // State::kDead
    begin();
    follow({program_.entries[program_.root], 0, Stack::kBottom});
    start_ = finish();
  }

  State start() override { return start_; }

  State step(State state, std::uint8_t byte) override {
    if (const auto known = transitions_.find(state, byte)) return *known;
    budget_.spend();
    begin();
    for (std::size_t i = begin_of(state); i < end_of(state); ++i) {
      const Item item = items_[i];
      const Regular rest = pool_.derive(item.regular, byte);
      if (rest == Regular::kNothing) continue;
      if (rest != Regular::kEmptyText) found_.push_back({item.next, item.stack, rest});
      if (pool_.accepts_empty(rest)) follow({item.next, 0, item.stack});
    }
    if (found_.empty() && !whole_) return State::kDead;
    const State after = finish();
    transitions_.add(state, byte, after);
    return after;
  }

  bool accepts(State state) override { return accepting_[static_cast<std::size_t>(state)]; }

  std::span<const Lexeme> lexemes(State state) override {
    const std::size_t first = begin_of(state), last = end_of(state);
    if (lexemes_.size() < items_.size()) lexemes_.resize(items_.size(), {Regular::kNothing, State::kDead});
    for (std::size_t i = first; i < last; ++i) {
      if (lexemes_[i].after != State::kDead) continue;
      const Item item = items_[i];
      begin();
      follow({item.next, 0, item.stack});
      const State after = finish();
      lexemes_.resize(items_.size(), {Regular::kNothing, State::kDead});
      lexemes_[i] = {item.regular, after};
    }
    return std::span(lexemes_).subspan(first, last - first);
  }

  RegularPool& pool() override { return pool_; }
  Budget& budget() override { return budget_; }

 private:
  using Kind = Instruction::Kind;

  std::size_t begin_of(State state) const noexcept { return begins_[static_cast<std::size_t>(state)]; }
  std::size_t end_of(State state) const noexcept { return begins_[static_cast<std::size_t>(state) + 1]; }

  /// Clears the scratch, which an exception may have left filled.
  void begin() {
    found_.clear();
    threads_.clear();
    visited_.clear();
    stacks_.begin();
    whole_ = false;
  }

  /// Collects in found_ the terminals that may come next, and in whole_ whether the text may end.
  void follow(Thread from) {
    visit(from);
    while (!threads_.empty()) {
      const Thread thread = threads_.back();
      threads_.pop_back();
      budget_.spend(4);
      if (thread.instruction == kWhole) {
        whole_ = true;
        continue;
      }
      const Instruction& at = program_.instructions[thread.instruction];
      switch (at.kind) {
        case Kind::terminal:
          found_.push_back({at.next, thread.below, at.regular});
          if (pool_.accepts_empty(at.regular)) visit({at.next, 0, thread.below});
          break;
        case Kind::call:
          call(at.rule, {at.next, 0, thread.below});
          if (program_.nullable[at.rule]) visit({at.next, 0, thread.below});
          break;
        case Kind::fork:
          visit({at.next, 0, thread.below});
          visit({at.other, 0, thread.below});
          break;
        case Kind::loop:
          if (thread.count < at.max) {
            const bool counts = at.max != Instruction::kUnlimited || thread.count < at.min;
            call(at.rule, {thread.instruction, thread.count + (counts ? 1 : 0), thread.below});
          }
          if (thread.count >= at.min) visit({at.next, 0, thread.below});
          break;
        case Kind::end:
          if (Stacks::is_pending(thread.below)) break;  // the rule matched no bytes; its call has continued already
          for (const Return& to : stacks_[thread.below]) visit(to);
          break;
      }
    }
  }

  void call(RuleId rule, const Return& to) {
    const bool last = program_.instructions[to.instruction].kind == Kind::end;
    const Stacks::Called called = last ? stacks_.call_last(rule, to.below) : stacks_.call(rule, to);
    if (called.first) visit({program_.entries[rule], 0, called.stack});
  }

  void visit(const Thread& thread) {
    words_ = {thread.instruction, thread.count, static_cast<std::uint32_t>(thread.below)};
    if (visited_.intern(words_).fresh) threads_.push_back(thread);
  }

  /// The state with the items in found_.
  State finish() {
    stacks_.settle();
    for (Item& item : found_) item.stack = stacks_.settled(item.stack);
    std::ranges::sort(found_);
    std::size_t kept = 0;
    for (std::size_t i = 0; i < found_.size(); ++i) {  // one item per (next, stack)
      if (kept > 0 && found_[kept - 1].next == found_[i].next && found_[kept - 1].stack == found_[i].stack)
        found_[kept - 1].regular = pool_.any_of({found_[kept - 1].regular, found_[i].regular});
      else found_[kept++] = found_[i];
    }
    found_.resize(kept);
    return intern(whole_);
  }

  State intern(bool accepting) {
    words_ = {accepting ? 1U : 0U};
    for (const Item& item : found_)
      words_.insert(words_.end(), {item.next, static_cast<std::uint32_t>(item.stack), static_cast<std::uint32_t>(item.regular)});
    const auto [id, fresh] = states_.intern(words_);
    if (fresh) {
      budget_.spend(1 + 2 * found_.size());
      items_.insert(items_.end(), found_.begin(), found_.end());
      begins_.push_back(items_.size());
      accepting_.push_back(accepting);
    }
    return static_cast<State>(id);
  }

  std::shared_ptr<Workspace> workspace_;
  Budget& budget_ = workspace_->budget;
  RegularPool& pool_ = workspace_->pool;
  Program program_;
  Stacks stacks_;

  Interner states_;                        // words of a state: whether it accepts, and its items
  std::vector<Item> items_;                // of all states, concatenated
  std::vector<std::size_t> begins_ = {0};  // [states + 1]
  std::vector<bool> accepting_;            // [states]
  std::vector<Lexeme> lexemes_;            // [items] computed on demand; before that, `after` is kDead
  Transitions transitions_;
  State start_ = State::kDead;

  // Scratch of the state that is being made.
  std::vector<Item> found_;
  std::vector<Thread> threads_;
  Interner visited_;
  std::vector<std::uint32_t> words_;
  bool whole_ = false;
};

}  // namespace
}  // namespace gbnf

std::unique_ptr<Language> make_gbnf_language(std::string_view text, std::shared_ptr<Workspace> workspace) {
  return std::make_unique<gbnf::GbnfLanguage>(text, std::move(workspace));
}

}  // namespace heed::grammar

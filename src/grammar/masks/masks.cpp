#include "grammar/masks/masks.hpp"

#include <span>
#include <utility>

#include "grammar/masks/trie_walk.hpp"

namespace heed::grammar {
namespace {

constexpr std::size_t kStateMasksKept = 256;
constexpr std::size_t kStateBytesKept = 4096;
constexpr std::uint32_t kFewEntries = 12;  // branches up to this size are walked at once, which is faster than a cache lookup
constexpr std::size_t kMostExits = 4096;   // of a lexeme; with more, its continuation resembles it, and the trie is walked
constexpr std::size_t kMostLexemes = 64;   // of a state; with more, the trie is walked

}  // namespace

Masks::Masks(std::unique_ptr<Language> language, std::shared_ptr<const TokenTable> table)
    : language_(std::move(language)),
      table_(std::move(table)),
      lexemes_(*table_, language_->pool()),
      kept_(kStateMasksKept),
      bytes_after_(kStateBytesKept) {}

std::shared_ptr<const TokenSet> Masks::of(State state) {
  const std::shared_ptr<const Mask> found = mask(state);
  return {found, &found->tokens};
}

std::shared_ptr<const Masks::Mask> Masks::mask(State state) {
  if (const auto* known = kept_.find(state)) return *known;
  const State summary = language_->summary(state);
  const std::shared_ptr<const Mask> known_of_summary = summary == state ? nullptr : mask(summary);
  auto made = std::make_shared<Mask>(known_of_summary ? known_of_summary->tokens : TokenSet(table_->trie().vocabulary_size()));
  tasks_.clear();
  seen_.clear();
  undecided_.clear();
  const Task whole{state, table_->trie().all(), false};
  if (known_of_summary) {
    exits_ = known_of_summary->undecided;
    by_paths(whole, made->tokens);
  } else {
    add_task(whole);
  }
  walk_tasks(made->tokens);
  std::ranges::sort(undecided_);
  made->undecided.assign(undecided_.begin(), std::ranges::unique(undecided_).begin());
  if (language_->accepts(state)) {
    for (const TokenId end : table_->trie().ends()) made->tokens.insert(end);
  }
  return kept_.add(state, std::move(made));
}

ByteSet Masks::bytes_after(State state) {
  if (const auto* known = bytes_after_.find(state)) return *known;
  ByteSet bytes;
  for (unsigned byte = 0; byte < 256; ++byte) {
    if (language_->step(state, static_cast<std::uint8_t>(byte)) != State::kDead) bytes.insert(static_cast<std::uint8_t>(byte));
  }
  return bytes_after_.add(state, bytes);
}

void Masks::walk_tasks(TokenSet& set) {
  while (!tasks_.empty()) {
    const Task task = tasks_.back();
    tasks_.pop_back();
    language_->budget().spend();
    if (task.stepping || task.branches.end - task.branches.entry < kFewEntries || !by_lexemes(task, set)) by_steps(task, set);
  }
}

/// Steps to a node and inserts its tokens. False if the node and all below it are excluded or undecided.
bool Masks::enter(const TokenTrie::Node& node, State before, State& after, TokenSet& set) {
  after = language_->step(before, node.byte);
  if (after == State::kUndecided) undecided_.push_back(node);
  if (after == State::kDead || after == State::kUndecided) return false;
  table_->trie().tokens(node, [&](TokenId token) { set.insert(token); });
  return true;
}

/// Walks a small task at once; queues a larger one.
void Masks::go_on(const Task& task, TokenSet& set) {
  if (task.branches.end - task.branches.entry >= kFewEntries) return add_task(task);
  language_->budget().spend();
  by_steps(task, set);
}

/// Drops duplicates, which ambiguous languages produce.
void Masks::add_task(const Task& task) {
  const auto& [entry, depth, end] = task.branches;
  const std::uint32_t words[] = {static_cast<std::uint32_t>(task.state), entry, depth, end, task.stepping ? 1U : 0U};
  if (seen_.intern(words).fresh) tasks_.push_back(task);
}

/// Inserts the task's tokens by means of the lexemes of its state. False if the state has none, or too many.
bool Masks::by_lexemes(const Task& task, TokenSet& set) {
  const std::span<const Lexeme> found = language_->lexemes(task.state);
  if (found.empty() || found.size() > kMostLexemes) return false;
  const std::vector<Lexeme> lexemes(found.begin(), found.end());
  const TokenTrie& trie = table_->trie();
  for (const auto& [regular, after, follow, certain_bytes] : lexemes) {
    const ByteSet leaving = follow == ByteSet::all() && after != State::kDead ? bytes_after(after) : follow;
    const LexemeMask& mask = lexemes_.of(regular, task.branches, !leaving.empty());
    exits_.clear();
    for (const TokenTrie::Node& exit : mask.exits) {
      if (leaving.contains(exit.byte)) exits_.push_back(exit);
    }
    if (exits_.size() > kMostExits) {
      add_task({task.state, task.branches, true});
      return true;
    }
    for (const TokenId token : mask.tokens) set.insert(token);
    if (mask.set) set |= *mask.set;
    if (after == State::kDead || certain_bytes == 0) {
      by_paths(task, set);
    } else if (certain_bytes < trie.longest()) {
      by_certain_steps(after, certain_bytes, set);
      by_paths(task, set);
    } else {
      for (const TokenTrie::Node& exit : exits_) go_on({after, trie.from(exit), false}, set);
    }
  }
  return true;
}

/// From each of exits_, walks up to `certain` bytes, starting in `state`. Then sets exits_ to those of the last nodes reached that
/// have nodes below.
void Masks::by_certain_steps(State state, std::uint32_t certain, TokenSet& set) {
  const TokenTrie& trie = table_->trie();
  std::vector<TokenTrie::Node> further;
  for (const TokenTrie::Node& exit : exits_) {
    language_->budget().spend();
    walk(trie, trie.from(exit), state, states_, [&](const TokenTrie::Node& node, State before, State& after) {
      if (!enter(node, before, after, set)) return false;
      if (node.depth - exit.depth + 1U < certain) return true;
      if (trie.has_below(node)) further.push_back(node);
      return false;
    });
  }
  exits_ = std::move(further);
}

/// Steps from the task's state to each of exits_, and walks or queues what is below.
void Masks::by_paths(const Task& task, TokenSet& set) {
  const TokenTrie& trie = table_->trie();
  std::size_t next = 0;
  std::uint32_t walked_until = 0;  // entries before this one belong to an exit with few entries, which is walked at once
  walk(trie, task.branches, task.state, states_, [&](const TokenTrie::Node& node, State before, State& after) {
    if (node.entry < walked_until) return enter(node, before, after, set);
    while (next < exits_.size() && exits_[next] < node) ++next;
    const std::uint32_t end = trie.end(node);
    const bool leads_to_exit = next < exits_.size() && exits_[next].entry < end;
    if (!leads_to_exit || !enter(node, before, after, set)) return false;
    if (exits_[next] != node) return true;
    if (end - node.entry <= kFewEntries) walked_until = end;
    else add_task({after, trie.below(node), false});
    return node.entry < walked_until;
  });
}

void Masks::by_steps(const Task& task, TokenSet& set) {
  const TokenTrie& trie = table_->trie();
  walk(trie, task.branches, task.state, states_, [&](const TokenTrie::Node& node, State before, State& after) {
    if (!enter(node, before, after, set)) return false;
    if (task.stepping || trie.end(node) - node.entry <= kFewEntries) return true;
    add_task({after, trie.below(node), false});
    return false;
  });
}

}  // namespace heed::grammar

#include "grammar/outline/outline.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "grammar/interner.hpp"
#include "grammar/outline/parts.hpp"
#include "grammar/refusal.hpp"
#include "grammar/transitions.hpp"

namespace heed::grammar {
namespace {

/// A state is a set of positions, as a text can be in several parts at a time.
class OutlineLanguage final : public Language {
 public:
  explicit OutlineLanguage(Parts parts)
      : workspace_(std::move(parts.workspace)), parts_(std::move(parts.parts)), visited_(parts_.size()) {
    states_.intern(std::span<const std::uint32_t>());  // State::kDead
    enter(parts.start);
    start_ = finish();
  }

  State start() override { return start_; }

  State step(State from, std::uint8_t byte) override {
    if (const auto known = transitions_.find(from, byte)) return *known;
    budget().spend();
    begin();
    for (const Position& position : positions_of(from)) advance(position, byte);
    const State after = undecided_ ? State::kUndecided : finish();
    transitions_.add(from, byte, after);
    return after;
  }

  bool accepts(State state) override {
    const auto words = states_[static_cast<std::uint32_t>(state)];
    return !words.empty() && parts_[words[words.size() - 2]].kind == Part::Kind::end;  // `end` sorts last
  }

  /// The lexemes of the constraints; empty if the state has other positions than constraints and the end.
  std::span<const Lexeme> lexemes(State state) override {
    lexemes_.clear();
    for (const auto& [id, inner] : positions_of(state)) {
      const Part& part = parts_[id];
      if (part.kind == Part::Kind::end) continue;
      const auto of_constraint = part.kind == Part::Kind::constraint ? part.language->lexemes(State{inner})
                                                                     : std::span<const Lexeme>();
      if (of_constraint.empty()) {
        lexemes_.clear();
        break;
      }
      for (Lexeme lexeme : std::vector(of_constraint.begin(), of_constraint.end())) {
        if (lexeme.after != State::kDead) {
          if (part.language->accepts(lexeme.after))
            lexeme.follow = ByteSet::all();  // the constraint may end here, so any byte of what follows it may come
          begin();
          enter_constraint(id, lexeme.after);
          lexeme.after = finish();
        }
        lexemes_.push_back(lexeme);
      }
    }
    return lexemes_;
  }

  State summary(State state) override {
    std::vector<Position> positions = positions_of(state);
    bool less = false;
    for (auto& [id, inner] : positions) {
      if (parts_[id].kind != Part::Kind::constraint) continue;
      const State summary = parts_[id].language->summary(State{inner});
      less |= summary != State{inner};
      inner = static_cast<std::uint32_t>(summary);
    }
    if (!less) return state;
    begin();
    found_ = std::move(positions);
    return finish();
  }

  RegularPool& pool() override { return workspace_->pool; }
  Budget& budget() override { return workspace_->budget; }

 private:
  struct Position {
    PartId part;
    std::uint32_t inner;  // the number of bytes of a literal, the state of a constraint, or the place of a search

    auto operator<=>(const Position&) const = default;
  };

  std::vector<Position> positions_of(State state) const {
    const auto words = states_[static_cast<std::uint32_t>(state)];
    std::vector<Position> positions(words.size() / 2);
    for (std::size_t i = 0; i < positions.size(); ++i) positions[i] = {words[2 * i], words[2 * i + 1]};
    return positions;
  }

  /// Clears the scratch, which an exception may have left filled.
  void begin() {
    for (const PartId id : entered_) visited_[id] = false;
    entered_.clear();
    pending_.clear();
    found_.clear();
    undecided_ = false;
  }

  void advance(const Position& position, std::uint8_t byte) {
    const Part& part = parts_[position.part];
    switch (part.kind) {
      case Part::Kind::end:
      case Part::Kind::fork: break;
      case Part::Kind::literal:
        if (static_cast<std::uint8_t>(part.text[position.inner]) != byte) break;
        if (position.inner + 1 == part.text.size()) enter(part.next[0]);
        else found_.push_back({position.part, position.inner + 1});
        break;
      case Part::Kind::constraint: {
        const State after = part.language->step(State{position.inner}, byte);
        if (after == State::kUndecided) undecided_ = true;
        else if (after != State::kDead) enter_constraint(position.part, after);
        break;
      }
      case Part::Kind::search:
      case Part::Kind::free: {
        const bool free = part.kind == Part::Kind::free;
        const auto place = part.search.step(position.inner, byte, free);
        if (!place) break;
        const std::uint32_t marker = part.search.found(*place);
        if (marker != MarkerSearch::kNone) {
          enter(part.next[marker]);
          break;
        }
        found_.push_back({position.part, *place});
        if (free) enter(part.next.back());
      }
    }
  }

  void enter_constraint(PartId id, State state) {
    found_.push_back({id, static_cast<std::uint32_t>(state)});
    if (parts_[id].language->accepts(state)) enter(parts_[id].next[0]);
  }

  /// Adds the beginning of a part, and of all parts that can be reached from there without a byte.
  void enter(PartId first) {
    pending_.push_back(first);
    while (!pending_.empty()) {
      const PartId id = pending_.back();
      pending_.pop_back();
      if (visited_[id]) continue;
      budget().spend();
      visited_[id] = true;
      entered_.push_back(id);
      const Part& part = parts_[id];
      switch (part.kind) {
        case Part::Kind::fork: pending_.insert(pending_.end(), part.next.begin(), part.next.end()); break;
        case Part::Kind::constraint: {
          const State begun = part.language->start();
          found_.push_back({id, static_cast<std::uint32_t>(begun)});
          if (part.language->accepts(begun)) pending_.push_back(part.next[0]);
          break;
        }
        case Part::Kind::free: pending_.push_back(part.next.back()); [[fallthrough]];
        default: found_.push_back({id, 0});
      }
    }
  }

  /// The state with the positions in found_.
  State finish() {
    std::ranges::sort(found_, std::ranges::greater());  // the end of the text is part 0
    found_.erase(std::ranges::unique(found_).begin(), found_.end());
    words_.clear();
    for (const auto& [part, inner] : found_) words_.insert(words_.end(), {part, inner});
    budget().spend(words_.size());
    return static_cast<State>(states_.intern(words_).id);
  }

  std::shared_ptr<Workspace> workspace_;
  std::vector<Part> parts_;
  State start_ = State::kDead;
  Interner states_;  // words of a state: its positions, the end of the text last
  Transitions transitions_;
  std::vector<Lexeme> lexemes_;

  // Scratch of the state that is being made.
  std::vector<Position> found_;
  std::vector<PartId> pending_, entered_;
  std::vector<bool> visited_;
  std::vector<std::uint32_t> words_;
  bool undecided_ = false;
};

}  // namespace

SchemaLanguage make_outline_language(std::string_view outline, const TokenTexts& vocabulary) {
  Parts parts = read_parts(outline, vocabulary);
  std::vector<Ignored> ignored = std::move(parts.ignored);
  return {std::make_unique<OutlineLanguage>(std::move(parts)), std::move(ignored)};
}

}  // namespace heed::grammar

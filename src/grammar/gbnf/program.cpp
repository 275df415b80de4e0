#include "grammar/gbnf/program.hpp"

#include <algorithm>
#include <ranges>
#include <span>
#include <string>
#include <utility>

#include "grammar/gbnf/components.hpp"
#include "grammar/refusal.hpp"

namespace heed::grammar::gbnf {
namespace {

constexpr std::uint32_t kEndInstruction = 0;
constexpr std::uint32_t kDeepestTerminal = 200;  // nested expressions; pools walk them recursively

/// Properties of an expression.
struct Facts {
  std::optional<Regular> regular;  // its language, if it is not recursive
  bool productive = false;         // accepts at least one text
  bool nullable = false;           // accepts the empty text
  std::uint32_t depth = 1;         // of `regular`
};

class Compiler {
 public:
  Compiler(const Syntax& syntax, RegularPool& pool, Budget& budget)
      : syntax_(syntax), pool_(pool), budget_(budget), nodes_(syntax.nodes.size()), rules_(syntax.rules.size()) {}

  Program run() {
    for (const Component& component : components(calls())) {
      if (component.cyclic) settle(component.nodes);
      else define(component.nodes[0]);
    }
    if (!rules_[syntax_.root].productive)
      throw Refusal{"unsatisfiable", syntax_.rule_names[syntax_.root], "1:1",
                    "the grammar accepts no text: its rules never come to an end"};
    program_.instructions.push_back({});  // kEndInstruction
    program_.entries.assign(syntax_.rules.size(), kEndInstruction);
    program_.nullable.resize(syntax_.rules.size());
    program_.root = syntax_.root;
    want(syntax_.root);
    for (std::size_t i = 0; i < wanted_.size(); ++i) {
      const RuleId rule = wanted_[i];
      program_.entries[rule] = emit(body_of(rule), kEndInstruction);
    }
    return std::move(program_);
  }

 private:
  using Kind = Node::Kind;

  /// `root` and all expressions inside it, each after its parts.
  std::vector<Expression> within(Expression root) const {
    std::vector<Expression> found = {root};
    for (std::size_t i = 0; i < found.size(); ++i) {
      const auto& parts = syntax_.nodes[found[i]].parts;
      found.insert(found.end(), parts.begin(), parts.end());
    }
    std::ranges::reverse(found);
    return found;
  }

  Graph calls() const {
    Graph graph(syntax_.rules.size());
    for (RuleId rule = 0; rule < syntax_.rules.size(); ++rule) {
      for (const Expression at : within(syntax_.rules[rule])) {
        budget_.spend();
        if (syntax_.nodes[at].kind == Kind::call) graph[rule].push_back(syntax_.nodes[at].rule);
      }
    }
    return graph;
  }

  /// Computes the facts of a rule that is not recursive. The facts of the rules that it calls must be known.
  void define(RuleId rule) {
    for (const Expression at : within(syntax_.rules[rule])) nodes_[at] = facts(syntax_.nodes[at]);
    rules_[rule] = nodes_[syntax_.rules[rule]];
    if (rules_[rule].depth > kDeepestTerminal) rules_[rule].regular.reset(), rules_[rule].depth = 1;
  }

  /// Computes the facts of mutually recursive rules: the least fixpoint. Iterates from the last rule to the first, because grammars
  /// usually define callers before callees.
  void settle(std::span<const RuleId> rules) {
    for (bool changed = true; changed;) {
      changed = false;
      for (const RuleId rule : rules | std::views::reverse) {
        for (const Expression at : within(syntax_.rules[rule])) nodes_[at] = facts(syntax_.nodes[at]);
        Facts now = nodes_[syntax_.rules[rule]];
        now.regular.reset();
        now.depth = 1;
        changed |= now.productive != rules_[rule].productive || now.nullable != rules_[rule].nullable;
        rules_[rule] = now;
      }
    }
  }

  Facts facts(const Node& node) {
    budget_.spend(1 + node.parts.size());
    switch (node.kind) {
      case Kind::terminal: return regular(node.regular, 1);
      case Kind::call: return rules_[node.rule];
      case Kind::sequence: return sequence(node);
      case Kind::alternatives: return alternatives(node);
      case Kind::repeat: return repeat(node);
    }
    return {};
  }

  Facts regular(Regular language, std::uint32_t depth) {
    return {language, !pool_.is_nothing(language), pool_.accepts_empty(language), depth};
  }

  Facts sequence(const Node& node) {
    Facts all{.regular = Regular::kEmptyText, .productive = true, .nullable = true};
    std::vector<Regular> languages;
    for (const Expression part : node.parts) {
      const Facts& one = nodes_[part];
      all.productive &= one.productive;
      all.nullable &= one.nullable;
      all.depth = std::max(all.depth, one.depth + 1);
      if (one.regular) languages.push_back(*one.regular);
    }
    if (languages.size() == node.parts.size()) return regular(pool_.concat(languages), all.depth);
    all.regular.reset();
    return all;
  }

  Facts alternatives(const Node& node) {
    Facts any;
    std::vector<Regular> languages;
    for (const Expression part : node.parts) {
      const Facts& one = nodes_[part];
      any.productive |= one.productive;
      any.nullable |= one.nullable;
      any.depth = std::max(any.depth, one.depth + 1);
      if (one.regular) languages.push_back(*one.regular);
    }
    if (languages.size() == node.parts.size()) return regular(pool_.any_of(languages), any.depth);
    return any;
  }

  Facts repeat(const Node& node) {
    const Facts& one = nodes_[node.parts[0]];
    if (node.max == 0) return regular(Regular::kEmptyText, 1);
    if (one.regular) return regular(pool_.repeat(*one.regular, node.min, node.max), one.depth + 1);
    return {.regular = {},
            .productive = one.productive || node.min == 0,
            .nullable = one.nullable || node.min == 0,
            .depth = one.depth};
  }

  void want(RuleId rule) {
    if (wanted_by_id_.size() <= rule) wanted_by_id_.resize(rule + 1);
    if (wanted_by_id_[rule]) return;
    wanted_by_id_[rule] = true;
    wanted_.push_back(rule);
    if (program_.entries.size() <= rule) {
      program_.entries.resize(rule + 1, kEndInstruction);
      program_.nullable.resize(rule + 1);
    }
    program_.nullable[rule] = nodes_[body_of(rule)].nullable;
  }

  /// The expression of a rule. Ids beyond the rules of the syntax are indices into loops_, offset by the number of rules.
  Expression body_of(RuleId rule) const {
    return rule < syntax_.rules.size() ? syntax_.rules[rule] : loops_[rule - syntax_.rules.size()];
  }

  std::uint32_t add(Instruction instruction) {
    program_.instructions.push_back(instruction);
    return static_cast<std::uint32_t>(program_.instructions.size() - 1);
  }

  /// Adds the instructions of an expression that is followed by `next`. Returns the first one.
  std::uint32_t emit(Expression at, std::uint32_t next) {
    budget_.spend();
    const Node& node = syntax_.nodes[at];
    const Facts& known = nodes_[at];
    if (known.regular == Regular::kEmptyText) return next;
    if (known.regular) return add({.kind = Instruction::Kind::terminal, .regular = *known.regular, .next = next});
    switch (node.kind) {
      case Kind::terminal: break;  // handled above: always regular
      case Kind::call: want(node.rule); return add({.kind = Instruction::Kind::call, .rule = node.rule, .next = next});
      case Kind::sequence: return emit_sequence(node, next);
      case Kind::alternatives: return emit_alternatives(node, next);
      case Kind::repeat: return emit_repeat(node, next);
    }
    return next;
  }

  /// Merges adjacent regular parts into one terminal.
  std::uint32_t emit_sequence(const Node& node, std::uint32_t next) {
    for (std::size_t end = node.parts.size(); end > 0;) {
      std::size_t begin = end;
      std::vector<Regular> languages;
      for (; begin > 0 && nodes_[node.parts[begin - 1]].regular; --begin)
        languages.push_back(*nodes_[node.parts[begin - 1]].regular);
      if (begin == end) {
        next = emit(node.parts[--end], next);
        continue;
      }
      std::ranges::reverse(languages);
      const Regular together = pool_.concat(languages);
      if (together != Regular::kEmptyText) next = add({.kind = Instruction::Kind::terminal, .regular = together, .next = next});
      end = begin;
    }
    return next;
  }

  std::uint32_t emit_alternatives(const Node& node, std::uint32_t next) {
    std::vector<std::uint32_t> entries;
    std::vector<Regular> languages;
    for (const Expression part : node.parts) {
      if (!nodes_[part].productive) continue;
      if (nodes_[part].regular) languages.push_back(*nodes_[part].regular);
      else entries.push_back(emit(part, next));
    }
    if (!languages.empty()) {
      const Regular together = pool_.any_of(languages);
      entries.push_back(
          together == Regular::kEmptyText ? next : add({.kind = Instruction::Kind::terminal, .regular = together, .next = next}));
    }
    std::uint32_t entry = entries.back();
    for (std::size_t i = entries.size() - 1; i > 0; --i)
      entry = add({.kind = Instruction::Kind::fork, .next = entries[i - 1], .other = entry});
    return entry;
  }

  std::uint32_t emit_repeat(const Node& node, std::uint32_t next) {
    const Expression repeated = node.parts[0];
    const Facts& one = nodes_[repeated];
    if (!one.productive) return next;  // repeated zero times
    const std::uint32_t max = node.max.value_or(Instruction::kUnlimited);
    const std::uint32_t min = one.nullable ? 0 : node.min;
    if (max == 1) {
      const std::uint32_t entry = emit(repeated, next);
      return min == 1 ? entry : add({.kind = Instruction::Kind::fork, .next = entry, .other = next});
    }
    if (max == Instruction::kUnlimited && min <= 1) {
      const std::uint32_t again = add({.kind = Instruction::Kind::fork, .other = next});
      const std::uint32_t entry = emit(repeated, again);
      program_.instructions[again].next = entry;
      return min == 1 ? entry : again;
    }
    const auto rule = static_cast<RuleId>(syntax_.rules.size() + loops_.size());
    loops_.push_back(repeated);
    want(rule);
    return add({.kind = Instruction::Kind::loop, .rule = rule, .next = next, .min = min, .max = max});
  }

  const Syntax& syntax_;
  RegularPool& pool_;
  Budget& budget_;
  std::vector<Facts> nodes_;  // by expression
  std::vector<Facts> rules_;
  std::vector<Expression> loops_;  // repeated expressions, each compiled as a rule of its own
  std::vector<RuleId> wanted_;     // reachable rules, in the order of discovery
  std::vector<bool> wanted_by_id_;
  Program program_;
};

}  // namespace

Program compile(const Syntax& syntax, RegularPool& pool, Budget& budget) { return Compiler(syntax, pool, budget).run(); }

}  // namespace heed::grammar::gbnf

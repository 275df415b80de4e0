#include "grammar/schema/terms.hpp"

#include <algorithm>

namespace heed::grammar {

Term Terms::make(Kind kind, std::span<const std::uint32_t> operands) {
  std::vector<std::uint32_t> words{static_cast<std::uint32_t>(kind)};
  words.insert(words.end(), operands.begin(), operands.end());
  return Term{words_.intern(words).id};
}

Term Terms::value(const Json& value) {
  const auto [known, added] = known_values_.try_emplace(&value, static_cast<std::uint32_t>(values_.size()));
  if (added) values_.push_back(&value);
  return make(Kind::value, {known->second});
}

Term Terms::negation(Term term) {
  switch (kind(term)) {
    case Kind::none: return Term::kAny;
    case Kind::any: return Term::kNone;
    case Kind::negation: return operands(term)[0];
    default: return make(Kind::negation, {static_cast<std::uint32_t>(term)});
  }
}

std::vector<Term> Terms::operands(Term term) const {
  std::vector<Term> operands;
  for (const std::uint32_t word : words(term).subspan(1)) operands.push_back(Term{word});
  return operands;
}

Term Terms::join(Kind kind, std::span<const Term> terms, Term neutral, Term absorbing) {
  std::vector<std::uint32_t> joined;
  const auto add = [&](Term term) {
    const auto word = static_cast<std::uint32_t>(term);
    if (std::ranges::find(joined, word) == joined.end()) joined.push_back(word);
  };
  for (const Term term : terms) {
    if (term == absorbing) return absorbing;
    if (term == neutral) continue;
    if (this->kind(term) == kind) {
      for (const Term operand : operands(term)) add(operand);
    } else {
      add(term);
    }
  }
  if (joined.empty()) return neutral;
  if (joined.size() == 1) return Term{joined[0]};
  return make(kind, joined);
}

}  // namespace heed::grammar

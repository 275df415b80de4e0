#include "grammar/schema/exploration.hpp"

#include <unordered_set>
#include <vector>

namespace heed::grammar {
namespace {

constexpr std::size_t kMaxTerms = 2'000;

}  // namespace

void explore(NormalForms& forms, Term root) {
  std::vector<Term> queue{root};
  std::unordered_set<std::uint32_t> known{static_cast<std::uint32_t>(root)};
  const auto add = [&](Term term) {
    if (known.size() < kMaxTerms && known.insert(static_cast<std::uint32_t>(term)).second) queue.push_back(term);
  };
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const Normal& normal = forms.normal(queue[i]);
    forms.inhabited(queue[i]);
    for (const ArrayId id : normal.arrays) {
      const ArrayShape& shape = forms.array(id);
      for (const Term term : shape.prefix) add(term);
      add(shape.rest);
      for (const Contained& contained : shape.contained) {
        add(forms.terms().both(shape.rest, contained.element));
        if (contained.max != kNoLimit) add(forms.terms().both(shape.rest, forms.terms().negation(contained.element)));
      }
    }
    for (const ObjectId id : normal.objects) {
      const ObjectShape& shape = forms.object(id);
      for (const Member& member : shape.members) add(member.term);
      for (const OtherKeys& rule : shape.rules) add(rule.term);
      for (const OtherKeys& some : shape.some) add(some.term);
    }
  }
}

}  // namespace heed::grammar

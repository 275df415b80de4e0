// Sets of JSON values as formulas over subschemas. Formulas are interned, so each is computed once.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "grammar/schema/documents.hpp"
#include "grammar/interner.hpp"

namespace heed::grammar {

enum class Term : std::uint32_t { kNone = 0, kAny = 1 };  // no value; every value

/// Where Closed::listed applies: in which objects the keys that a schema lists are the only ones. Under `not`, and in subschemas
/// whose matches are counted, it applies nowhere.
enum class Closing : std::uint32_t {
  none,
  within,  // in the values inside the value; not in the value itself, because other subschemas that apply to it may list more keys
  all,     // in the value and in those inside it
};

class Terms {
 public:
  enum class Kind : std::uint32_t { none, any, site, value, negation, difference, both, either };

  explicit Terms(Budget& budget) : words_(budget) {
    words_.intern({static_cast<std::uint32_t>(Kind::none)});
    words_.intern({static_cast<std::uint32_t>(Kind::any)});
  }

  /// The values valid under a subschema.
  Term site(Site site, Closing closing = Closing::none) {
    return make(Kind::site, {static_cast<std::uint32_t>(site), static_cast<std::uint32_t>(closing)});
  }
  /// The values equal to `value`, whose address must stay valid.
  Term value(const Json& value);
  Term negation(Term term);
  /// The values in `from` other than `value`, a term of kind value.
  Term difference(Term from, Term value) {
    return from == Term::kNone ? from
                               : make(Kind::difference, {static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(value)});
  }
  /// Intersection. The order of the operands determines the order of keys.
  Term both(std::span<const Term> terms) { return join(Kind::both, terms, Term::kAny, Term::kNone); }
  Term both(Term left, Term right) { return both(std::vector{left, right}); }
  Term either(std::span<const Term> terms) { return join(Kind::either, terms, Term::kNone, Term::kAny); }

  Kind kind(Term term) const { return static_cast<Kind>(words(term)[0]); }
  Site site_of(Term term) const { return Site{words(term)[1]}; }
  Closing closing_of(Term term) const { return Closing{words(term)[2]}; }
  const Json& value_of(Term term) const { return *values_[words(term)[1]]; }
  /// Requires a negation, difference, intersection or union.
  std::vector<Term> operands(Term term) const;
  std::uint32_t size() const noexcept { return static_cast<std::uint32_t>(words_.size()); }

 private:
  std::span<const std::uint32_t> words(Term term) const { return words_[static_cast<std::uint32_t>(term)]; }
  Term make(Kind kind, std::span<const std::uint32_t> operands);
  Term make(Kind kind, std::initializer_list<std::uint32_t> operands) {
    return make(kind, std::span<const std::uint32_t>(operands.begin(), operands.size()));
  }
  Term join(Kind kind, std::span<const Term> terms, Term neutral, Term absorbing);

  Interner words_;
  std::vector<const Json*> values_;
  std::unordered_map<const Json*, std::uint32_t> known_values_;
};

}  // namespace heed::grammar

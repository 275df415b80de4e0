// Values for elements that must differ: those that have few, each one of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "grammar/budget.hpp"
#include "grammar/schema/keys.hpp"
#include "grammar/schema/terms.hpp"

namespace heed::grammar {

using SharedValues = std::shared_ptr<const std::vector<Key>>;

/// A matching of elements with values, by augmenting paths.
class Matching {
 public:
  /// `taken` are values that no element has.
  Matching(Keys& keys, KeySet taken, Budget& budget) : keys_(keys), taken_(taken), budget_(budget) {}

  /// One more element, which has one of `values`. False where there are not enough of them; then nothing is changed. Throws Refusal.
  bool add(Term element, SharedValues values);
  /// Without the element that was added last.
  void take_back();
  /// The elements, sorted.
  std::vector<std::uint32_t> terms() const;
  /// One for each element.
  std::vector<Key> values() const;

 private:
  struct Element {
    Term term;
    SharedValues values;
  };

  bool place(std::size_t element, std::unordered_set<std::uint32_t>& tried, std::uint32_t depth);

  Keys& keys_;
  KeySet taken_;
  Budget& budget_;
  std::vector<Element> elements_;
  std::unordered_map<std::uint32_t, std::size_t> owners_;  // of values
};

}  // namespace heed::grammar

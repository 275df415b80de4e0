// Assigns different values to elements that must differ.
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

/// A bipartite matching of elements and values, by augmenting paths.
class Matching {
 public:
  /// `taken`: values that may not be assigned.
  Matching(Keys& keys, KeySet taken, Budget& budget) : keys_(keys), taken_(taken), budget_(budget) {}

  /// Adds an element that may have one of `values`. False, with nothing changed, if there is no matching. Throws Refusal.
  bool add(Term element, SharedValues values);
  /// Removes the element that was added last.
  void take_back();
  /// The terms of the elements, sorted.
  std::vector<std::uint32_t> terms() const;
  /// The assigned values, sorted.
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
  std::unordered_map<std::uint32_t, std::size_t> owners_;  // value -> element
};

}  // namespace heed::grammar

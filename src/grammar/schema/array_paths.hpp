// The progress of an array under one shape: what the next element may be, and whether the array can still be completed.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "grammar/schema/matching.hpp"
#include "grammar/schema/shapes.hpp"

namespace heed::grammar {

class NormalForms;
enum class Truth : std::uint8_t;

/// A position within an array of one shape: at the beginning or after an element.
enum class ArrayProgress : std::uint32_t {};

class ArrayPaths {
 public:
  ArrayPaths(NormalForms& forms, Budget& budget) : forms_(forms), words_(budget) {}

  ArrayProgress start(ArrayId shape);
  /// Whether the array can be completed.
  Truth viable(ArrayProgress progress);
  bool may_end(ArrayProgress progress);

  struct Step {
    Term element;
    ArrayProgress after;
  };
  /// Appends the ways to continue with one more element, each of which can be completed. `seen`: the elements so far, if elements
  /// must differ. `many`: whether the next element is known to have more possible values than `seen` has elements.
  void add_steps(ArrayProgress progress, KeySet seen, std::vector<Step>& steps, bool many = false);
  /// Whether elements must differ (uniqueItems).
  bool unique(ArrayProgress progress) const;
  /// Whether the same term applies to all further elements: none is in the prefix or counted by `contains`.
  bool alike(ArrayProgress progress) const;

 private:
  struct Place;

  Place place(ArrayProgress progress) const;
  ArrayProgress intern(const Place& place);
  std::vector<Step> possible_steps(const Place& place);
  Truth viable(ArrayProgress progress, std::uint32_t depth);
  Truth have_values(const Place& at);
  Truth search(ArrayProgress progress, std::uint32_t depth);
  std::optional<std::vector<Key>> excluded_values(ArrayProgress after, KeySet seen);
  std::optional<std::vector<Key>> different_values(ArrayProgress progress, KeySet seen);
  bool match(const Place& at, Matching& matching);
  bool match_some_way(ArrayProgress progress, Matching& matching, Interner& tried, std::uint32_t depth);
  SharedValues values_if_few(Term element, const ArrayShape& shape);

  NormalForms& forms_;
  Interner words_;
  std::unordered_map<std::uint32_t, Truth> known_;
  std::unordered_map<std::uint64_t, SharedValues> few_values_;  // by limit << 32 | term
};

}  // namespace heed::grammar

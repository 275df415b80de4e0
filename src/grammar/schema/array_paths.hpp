// How far an array has been read under one shape, what the next element may be, and whether it can still end.
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

/// A place within an array of one shape, behind an element.
enum class ArrayProgress : std::uint32_t {};

class ArrayPaths {
 public:
  ArrayPaths(NormalForms& forms, Budget& budget) : forms_(forms), words_(budget) {}

  ArrayProgress start(ArrayId shape);
  /// Whether the array can be finished.
  Truth viable(ArrayProgress progress);
  bool may_end(ArrayProgress progress);

  struct Step {
    Term element;
    ArrayProgress after;
  };
  /// The ways to go on with one more element, of which each can be finished; `seen` are the elements so far where they must differ. `many`:
  /// the element is known to have more values than these.
  void add_steps(ArrayProgress progress, KeySet seen, std::vector<Step>& steps, bool many = false);
  /// Whether elements must differ.
  bool unique(ArrayProgress progress) const;
  /// Whether all further elements are wanted alike: none is in the prefix, or counted.
  bool alike(ArrayProgress progress) const;

 private:
  struct Place;

  Place place(ArrayProgress progress) const;
  ArrayProgress intern(const Place& place);
  std::vector<Step> possible_steps(const Place& place);
  Truth viable(ArrayProgress progress, std::uint32_t depth);
  Truth have_values(const Place& at);
  Truth search(ArrayProgress progress, std::uint32_t depth);
  std::optional<std::vector<Key>> taken(ArrayProgress behind, KeySet seen);
  std::optional<std::vector<Key>> different_values(ArrayProgress progress, KeySet seen);
  bool match(const Place& at, Matching& matching);
  bool match_some_way(ArrayProgress progress, Matching& matching, Interner& tried, std::uint32_t depth);
  SharedValues values_if_few(Term element, const ArrayShape& shape);

  NormalForms& forms_;
  Interner words_;
  std::unordered_map<std::uint32_t, Truth> known_;
  std::unordered_map<std::uint64_t, SharedValues> few_values_;  // by a limit and a term
};

}  // namespace heed::grammar

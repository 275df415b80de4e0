// How far an array has been read under one shape, what the next element may be, and whether it can still end.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

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
  /// Whether all further elements are behind the prefix.
  bool alike(ArrayProgress progress) const;

 private:
  struct Place;

  Place place(ArrayProgress progress) const;
  ArrayProgress intern(const Place& place);
  std::vector<Step> possible_steps(const Place& place);
  std::vector<Key> taken(const Place& behind, KeySet seen);
  std::vector<std::vector<Key>> scarce_values(const Place& place);
  bool enough_values(const Place& place, KeySet seen);
  Truth viable(ArrayProgress progress, std::uint32_t depth);

  NormalForms& forms_;
  Interner words_;
  std::unordered_map<std::uint32_t, Truth> known_;
};

}  // namespace heed::grammar

// The progress of an object under one shape: which keys may come next, and whether the object can still be completed.
#pragma once

#include <cstdint>
#include <vector>

#include "grammar/schema/shapes.hpp"

namespace heed::grammar {

class NormalForms;
enum class Truth : std::uint8_t;

enum class KeyOrder : std::uint8_t { schema, any };

/// A position within an object of one shape: at the beginning or after a member.
enum class ObjectProgress : std::uint32_t {};

class ObjectPaths {
 public:
  ObjectPaths(NormalForms& forms, Budget& budget, KeyOrder order) : forms_(forms), order_(order), words_(budget) {}

  ObjectProgress start(ObjectId shape);
  /// Whether the object can be completed. `seen`: the keys so far that are not members of the shape.
  Truth viable(ObjectProgress progress, KeySet seen) { return viable(progress, seen, kNoLimit); }
  bool may_end(ObjectProgress progress);
  /// The JSON strings that may be the next key.
  Regular keys(ObjectProgress progress, KeySet seen);
  /// The strings of keys() that are members of the shape.
  Regular member_keys(ObjectProgress progress, KeySet seen);

  struct Step {
    Term value;  // the term of the key's value
    ObjectProgress after;
  };
  /// Appends the ways to continue with `key`, each of which can be completed.
  void add_steps(ObjectProgress progress, KeySet seen, Key key, std::vector<Step>& steps);
  struct OtherKeysStep {
    Regular keys;  // JSON strings
    Step step;
  };
  /// Appends the ways to continue with a key that is not a member, for each set of such keys. False if they are not the same for
  /// all keys of a set.
  bool add_other_steps(ObjectProgress progress, KeySet seen, std::vector<OtherKeysStep>& steps);
  /// Whether any number of keys can be added to each object of the shape. May be false if that is hard to decide.
  bool unlimited(ObjectId shape);
  /// The keys other than members that objects of the shape may have, as disjoint sets with the term of their values.
  std::vector<OtherKeys> other_keys(ObjectId shape);
  bool is_member(ObjectProgress progress, Key key);

 private:
  struct Progress;
  struct Plan;
  struct KeyClass {
    Regular keys;
    Term term;
    std::uint64_t some;                       // a mask of the demands in ObjectShape::some that a key of the class may meet
    std::uint64_t count = 0, counted_to = 0;  // the number of keys, at most `counted_to`
  };

  Progress read(ObjectProgress progress) const;
  ObjectProgress intern(const Progress& place);
  std::uint32_t member_index(const ObjectShape& shape, Key key) const;
  Progress after_member(const Progress& place, std::uint32_t index) const;
  Progress after_other(const Progress& place) const;
  bool passes_required(const Progress& at, std::uint32_t end) const;
  bool free(const Progress& at, std::uint32_t index) const;
  bool available(const Progress& at, std::uint32_t index) const;
  std::vector<KeyClass>& key_classes(ObjectId shape);
  Regular unseen(Regular keys, KeySet seen);
  std::uint64_t count_unseen(ObjectId shape, std::uint32_t index, KeySet seen, std::uint64_t limit);
  bool meets(Key key, Regular keys);
  void add_member_steps(const Progress& at, KeySet seen, std::uint32_t index, std::vector<Step>& steps);
  void add_step(const Progress& next, Term value, std::uint64_t some, KeySet seen, std::uint32_t key_class,
                std::vector<Step>& steps);
  Truth viable(ObjectProgress progress, KeySet seen, std::uint32_t spent_class);
  bool choose(const Progress& place, Plan& plan, std::uint32_t index);
  Truth meet_some(const Progress& place, Plan plan, KeySet seen);
  Truth fill(const Progress& place, Plan plan);

  NormalForms& forms_;
  KeyOrder order_;
  Interner words_;
  std::vector<std::vector<KeyClass>> classes_;  // by shape
  std::vector<bool> classes_known_;
};

}  // namespace heed::grammar

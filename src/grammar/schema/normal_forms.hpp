// Computes normal forms of terms, and decides whether terms have values.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "grammar/regular/pool.hpp"
#include "grammar/schema/array_paths.hpp"
#include "grammar/schema/keys.hpp"
#include "grammar/schema/object_paths.hpp"
#include "grammar/schema/shapes.hpp"
#include "grammar/schema/spellings.hpp"
#include "grammar/schema/terms.hpp"

namespace heed::grammar {

/// `maybe`: undecided, because the answer depends on a normal form that is being made.
enum class Truth : std::uint8_t { no, maybe, yes };

/// The source of the normal forms of subschemas.
class SiteForms {
 public:
  virtual ~SiteForms() = default;
  virtual Normal form(Site site, Closing closing) = 0;
  /// The position of the subschema, for errors.
  virtual std::string path(Site site) const = 0;
};

class NormalForms {
 public:
  NormalForms(Budget& budget, RegularPool& pool, Terms& terms, Keys& keys, Spellings& spellings, KeyOrder order);

  /// Must be called first. `sites` must outlive this.
  void read_sites_with(SiteForms& sites) { sites_ = &sites; }

  /// The normal form of a term; some of its alternatives may be empty. Throws Refusal. The reference stays valid.
  const Normal& normal(Term term);
  /// Whether a term or a shape has a value. `maybe` only while a normal form is being made.
  Truth inhabited(Term term);
  Truth inhabited(ArrayId id);
  Truth inhabited(ObjectId id);
  /// Whether a `no` of `inhabited` is final, because no search is active.
  bool certain() const { return search_.depths.empty(); }
  /// Whether every answer is final, because no normal form is being made either.
  bool settled() const { return certain() && depth_ == 0; }

  Normal any() const { return {spellings_.all(), {ArrayId::kAny}, {ObjectId::kAny}}; }
  Normal none() const { return {spellings_.none(), {}, {}}; }
  Normal both(const Normal& left, const Normal& right);
  Normal either(const Normal& left, const Normal& right);
  Normal complement(const Normal& normal);
  /// The values in exactly one of the branches.
  Normal one_of(const std::vector<Normal>& branches);

  ArrayId intern(ArrayShape shape);
  ObjectId intern(ObjectShape shape);
  const ArrayShape& array(ArrayId id) const { return *arrays_[static_cast<std::uint32_t>(id)]; }
  const ObjectShape& object(ObjectId id) const { return *objects_[static_cast<std::uint32_t>(id)]; }

  Budget& budget() { return budget_; }
  RegularPool& pool() { return pool_; }
  Terms& terms() { return terms_; }
  Keys& keys() { return keys_; }
  Spellings& spellings() { return spellings_; }
  ArrayPaths& array_paths() { return array_paths_; }
  ObjectPaths& object_paths() { return object_paths_; }
  /// The key as a JSON string in canonical spelling.
  Regular key_text(Key key);
  /// The canonical text of a value, as a key: equal values have equal keys.
  Key element(Json value);
  /// The term of a single value.
  Term only(Key element) { return terms_.value(*elements_.at(static_cast<std::uint32_t>(element))); }
  /// The values in `term` other than `elements`.
  Term without_elements(Term term, const std::vector<Key>& elements);
  /// The conjunction of the shape's rules for a key, ignoring members.
  Term rules_for(const ObjectShape& shape, Key key);

 private:
  struct Form {
    std::unique_ptr<Normal> normal;
    bool being_made = false;
    Truth inhabited = Truth::maybe;  // maybe: not known yet
  };
  // The active queries of `visit`, nested in each other.
  struct Search {
    std::unordered_map<std::uint32_t, std::uint32_t> depths;  // by the query's word: the depth of nesting
    std::uint32_t relied_on = kNoLimit;                       // the lowest depth of a query that the answer assumes to be `no`
  };

  Form& form(Term term);
  Normal make(Term term);
  Normal make_value(const Json& value);
  Normal difference(Term from, Term value);
  Truth decide(const Normal& normal);
  template <class Decide>
  Truth settle(std::vector<Truth>& known, std::uint32_t index, Decide decide);
  template <class Decide>
  Truth visit(std::uint32_t word, Truth& known, Decide decide);

  ArrayId both(ArrayId left, ArrayId right);
  ObjectId both(ObjectId left, ObjectId right);
  std::vector<ArrayId> complement(ArrayId id);
  std::vector<ObjectId> complement(ObjectId id);
  std::vector<ArrayId> complement_of_list(const ArrayShape& list);
  std::vector<ObjectId> complement_of_members(const ObjectShape& object);
  template <class Id>
  std::vector<Id> product(const std::vector<Id>& left, const std::vector<Id>& right);
  template <class Id>
  std::vector<Id> without(const std::vector<Id>& shapes, Id other);
  template <class Id>
  void add(std::vector<Id>& shapes, Id shape);
  template <class Id>
  std::vector<Id> one_of(const std::vector<Normal>& branches, std::vector<Id> Normal::* shapes);

  Budget& budget_;
  RegularPool& pool_;
  Terms& terms_;
  Keys& keys_;
  Spellings& spellings_;
  SiteForms* sites_ = nullptr;
  std::vector<std::unique_ptr<Form>> forms_;  // by term
  std::vector<std::unique_ptr<ArrayShape>> arrays_;
  std::vector<std::unique_ptr<ObjectShape>> objects_;
  Interner array_words_, object_words_;
  std::vector<Truth> known_arrays_, known_objects_;
  std::vector<Regular> key_texts_;                                     // by key
  std::unordered_map<std::uint32_t, std::unique_ptr<Json>> elements_;  // by key
  Search search_;
  std::uint32_t depth_ = 0;
  ArrayPaths array_paths_;
  ObjectPaths object_paths_;
};

}  // namespace heed::grammar

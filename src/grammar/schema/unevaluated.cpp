// unevaluatedProperties and unevaluatedItems. They depend on which of the adjacent subschemas are valid, so each combination is a
// branch of its own.
#include <utility>

#include "grammar/schema/keywords.hpp"
#include "grammar/schema/reading.hpp"

namespace heed::grammar {
namespace {

constexpr std::size_t kMaxBranches = 256;
constexpr std::size_t kMaxAnyOf = 8;  // schemas of an anyOf, because each subset of them is a branch

}  // namespace

struct Keywords::Evaluated {
  Regular keys = Regular::kNothing;  // as JSON strings
  std::uint32_t prefix = 0;          // the number of leading elements that are evaluated; kNoLimit: all
  std::vector<Term> contains = {};   // elements that match one of these are evaluated, too
};

struct Keywords::Branch {
  Normal form;
  Evaluated evaluated = {};
};

std::vector<Keywords::Branch> Keywords::product(const std::vector<Branch>& left, const std::vector<Branch>& right) {
  std::vector<Branch> product;
  for (const Branch& a : left) {
    for (const Branch& b : right) {
      Branch both{forms_.both(a.form, b.form), a.evaluated};
      if (both.form == forms_.none()) continue;
      both.evaluated.keys = forms_.pool().any_of(a.evaluated.keys, b.evaluated.keys);
      both.evaluated.prefix = std::max(a.evaluated.prefix, b.evaluated.prefix);
      for (const Term term : b.evaluated.contains) both.evaluated.contains.push_back(term);
      product.push_back(std::move(both));
      if (product.size() > kMaxBranches) throw Refusal{"too-large", "", "", "there are too many combinations of valid subschemas"};
    }
  }
  return product;
}

// One branch: the properties and items that the subschema's own keywords evaluate. branches_of_word() returns the branches of
// keywords that apply further subschemas.
std::vector<Keywords::Branch> Keywords::own_branch(Site site, bool with_unevaluated) {
  const Json& schema = documents_.json(site);
  Branch own{forms_.any()};
  const Regular all = forms_.spellings().canonical_strings();
  std::vector<Regular> keys;
  if (const Json* properties = schema.find("properties"))
    for (const JsonMember& member : properties->members) keys.push_back(forms_.key_text(forms_.keys().key(member.key)));
  if (const Json* patterns = schema.find("patternProperties"))
    for (const JsonMember& member : patterns->members)
      keys.push_back(forms_.spellings().strings(pattern(site, "patternProperties", member.key)).values);
  if (schema.find("additionalProperties") || (with_unevaluated && schema.find("unevaluatedProperties"))) keys.push_back(all);
  own.evaluated.keys = forms_.pool().any_of(keys);

  const Json *items = schema.find("items"), *prefix = schema.find("prefixItems");
  if (items && items->is(Json::Kind::array)) prefix = items, items = schema.find("additionalItems");
  if (prefix) own.evaluated.prefix = static_cast<std::uint32_t>(prefix->items.size());
  if (items || (with_unevaluated && schema.find("unevaluatedItems"))) own.evaluated.prefix = kNoLimit;
  if (const Json* contains = schema.find("contains"); contains && documents_.draft(site) != Draft::draft2019)
    own.evaluated.contains.push_back(term(*contains));
  return {own};
}

// The branches of anyOf or oneOf. The keys that a schema evaluates count only if it is valid.
std::vector<Keywords::Branch> Keywords::any_of_branches(const Json& list, bool exactly_one) {
  if (!exactly_one && list.items.size() > kMaxAnyOf)
    throw Refusal{"unsupported", "anyOf", "",
                  "beside unevaluated keywords, anyOf may have at most " + std::to_string(kMaxAnyOf) + " schemas"};
  std::vector<Branch> all;
  for (std::uint32_t set = 1; set < (exactly_one ? list.items.size() + 1 : std::size_t{1} << list.items.size()); ++set) {
    std::vector<Branch> some{{forms_.any()}};
    for (std::size_t i = 0; i < list.items.size(); ++i) {
      const bool holds = exactly_one ? i + 1 == set : (set >> i & 1) != 0;
      some = product(some, holds ? branches(documents_.site_of(list.items[i]))
                                 : std::vector<Branch>{{forms_.complement(normal(list.items[i]))}});
    }
    for (Branch& branch : some) all.push_back(std::move(branch));
  }
  return all;
}

std::vector<Keywords::Branch> Keywords::branches_of_word(Site site, std::string_view word, const Json& value) {
  const auto none_of = [&](const Json& schema) { return std::vector<Branch>{{forms_.complement(normal(schema))}}; };
  const auto join = [](std::vector<Branch> left, std::vector<Branch> right) {
    for (Branch& branch : right) left.push_back(std::move(branch));
    return left;
  };
  std::vector<Branch> all{{forms_.any()}};
  if (word == "$ref" || word == "$dynamicRef" || word == "$recursiveRef") return branches(target(site, word));
  if (word == "anyOf" || word == "oneOf") return any_of_branches(value, word == "oneOf");
  if (word == "allOf") {
    for (const Json& item : value.items) all = product(all, branches(documents_.site_of(item)));
  } else if (word == "if") {
    const Json *then = documents_.json(site).find("then"), *otherwise = documents_.json(site).find("else");
    std::vector<Branch> met = branches(documents_.site_of(value)), missed = none_of(value);
    if (then) met = product(met, branches(documents_.site_of(*then)));
    if (otherwise) missed = product(missed, branches(documents_.site_of(*otherwise)));
    return join(std::move(met), std::move(missed));
  } else if (word == "dependentSchemas" || word == "dependencies") {
    for (const auto& [name, schema] : value.members) {
      if (schema.is(Json::Kind::array)) continue;
      ObjectShape absent, present;
      absent.members.push_back({forms_.keys().key(name), Term::kNone});
      present.members.push_back({forms_.keys().key(name), Term::kAny, true});
      Normal with = objects_of(std::move(present));  // only objects: other values are unrestricted
      const Normal without = objects_of(std::move(absent));
      with.scalars = forms_.spellings().none();
      with.arrays.clear();
      all = product(all, join(product({{with}}, branches(documents_.site_of(schema))), {{without}}));
    }
  }
  return all;
}

std::vector<Keywords::Branch> Keywords::branches(Site site) {
  forms_.budget().spend(16);
  const Json& schema = documents_.json(site);
  if (schema.is(Json::Kind::boolean)) return {{schema.truth ? forms_.any() : forms_.none()}};
  if (documents_.ref_stands_alone(site)) return branches(target(site, "$ref"));
  std::vector<Branch> all = product({{forms_.normal(forms_.terms().site(site))}}, own_branch(site, true));
  for (const auto& [word, value] : schema.members) all = product(all, branches_of_word(site, word, value));
  return all;
}

// The demands of the unevaluated keywords and of the subschemas that they depend on.
Normal Keywords::unevaluated(const Reading& reading) {
  const Json &schema = reading.schema, *properties = schema.find("unevaluatedProperties"), *items = schema.find("unevaluatedItems");
  std::vector<Branch> all = own_branch(reading.site, false);
  for (const auto& [word, value] : schema.members) all = product(all, branches_of_word(reading.site, word, value));
  RegularPool& pool = forms_.pool();
  const Regular strings = forms_.spellings().canonical_strings();
  Normal either = forms_.none();
  for (const Branch& branch : all) {
    Normal form = branch.form;
    if (properties) {
      ObjectShape shape;
      shape.rules.push_back({pool.all_of({strings, pool.complement(branch.evaluated.keys)}), term(*properties)});
      if (shape.rules[0].term != Term::kAny) form = forms_.both(form, objects_of(std::move(shape)));
    }
    if (items && branch.evaluated.prefix != kNoLimit) {
      ArrayShape shape;
      shape.prefix.resize(branch.evaluated.prefix, Term::kAny);
      std::vector<Term> terms = branch.evaluated.contains;
      terms.push_back(term(*items));
      shape.rest = forms_.terms().either(terms);
      Normal arrays = forms_.any();
      arrays.arrays = {forms_.intern(std::move(shape))};
      form = forms_.both(form, arrays);
    }
    either = forms_.either(either, form);
  }
  return either;
}

}  // namespace heed::grammar

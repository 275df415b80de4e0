// Translates the keywords of subschemas to normal forms.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "grammar/regular/formats.hpp"
#include "grammar/schema/documents.hpp"
#include "grammar/schema/normal_forms.hpp"
#include "grammar/schema/options.hpp"

namespace heed::grammar {

/// A keyword without effect, because no draft defines its value.
struct Ignored {
  std::string keyword, path;
};

class Keywords final : public SiteForms {
 public:
  Keywords(Documents& documents, NormalForms& forms, const SchemaOptions& options)
      : documents_(documents), forms_(forms), options_(options) {}

  /// Checks all subschemas. Throws Refusal for malformed and unsupported keywords. Returns the ignored ones.
  std::vector<Ignored> check();

  /// Whether a checked keyword may lead to many alternatives, or to unsupported ones.
  bool combines() const { return combines_; }
  /// Whether a checked format is not supported exactly: combined with other keywords, it may have no accepted text.
  bool approximates() const { return approximates_; }

  Normal form(Site site, Closing closing) override;
  std::string path(Site site) const override { return documents_.path(site); }

 private:
  struct Reading;    // a subschema, while it is read
  struct Evaluated;  // the keys and elements that subschemas evaluate
  struct Branch;     // a way in which a subschema can be valid
  struct Listed;     // the keys that the subschemas of one value mention

  // check.cpp
  void check(Site site, const JsonMember& member, std::vector<Ignored>& ignored);
  void check_references(Site site, std::vector<std::uint8_t>& colors, std::uint32_t depth);
  std::vector<Site> in_place(Site site);

  // closing.cpp
  Normal closed(Site site);
  bool list_keys(Site site, Listed& listed);

  // unevaluated.cpp
  Normal unevaluated(const Reading& reading);
  std::vector<Branch> branches(Site site);
  std::vector<Branch> own_branch(Site site, bool with_unevaluated);
  std::vector<Branch> branches_of_word(Site site, std::string_view word, const Json& value);
  std::vector<Branch> any_of_branches(const Json& list, bool exactly_one);
  std::vector<Branch> product(const std::vector<Branch>& left, const std::vector<Branch>& right);

  Normal read(const Reading& reading);
  Scalars scalars(const Reading& reading);
  Scalars strings(const Reading& reading);
  Scalars numbers(const Reading& reading, bool integer);
  ArrayShape array(const Reading& reading);
  ObjectShape object(const Reading& reading);
  void add_properties(const Reading& reading, ObjectShape& shape);
  void add_rules(const Reading& reading, ObjectShape& shape);
  Normal values(const Json& list);
  Normal conditional(const Reading& reading);
  Normal dependent(Key key, Term demanded);
  Normal exactly_one(const Reading& reading, const Json& list);
  Normal objects_of(ObjectShape shape);

  const Normal& normal(const Json& subschema, Closing closing = Closing::none) { return forms_.normal(term(subschema, closing)); }
  Term term(const Json& subschema, Closing closing = Closing::none);
  Regular pattern(Site site, std::string_view keyword, const std::string& text);
  std::optional<Format> format(Site site, const std::string& name);
  std::uint32_t count(Site site, std::string_view keyword, std::uint32_t absent);
  std::vector<std::string_view> types(const Json& schema) const;
  Site target(Site site, std::string_view keyword);

  Documents& documents_;
  NormalForms& forms_;
  const SchemaOptions& options_;
  std::unordered_map<std::string, Regular> patterns_;
  bool combines_ = false, approximates_ = false;
};

}  // namespace heed::grammar

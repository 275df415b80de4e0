// The subschemas of a schema and of the documents beside it: where each is, of which draft, and what it refers to.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "grammar/refusal.hpp"
#include "grammar/schema/json.hpp"

namespace heed::grammar {

/// A subschema: an object or a boolean, at one place of one document.
enum class Site : std::uint32_t {};

enum class Draft : std::uint8_t {
  draft4,
  draft6,
  draft7,
  draft2019,
  draft2020,
  unnamed,  // 2020-12, where words that only older drafts have keep their meaning
};

class Documents {
 public:
  /// Finds all subschemas. `others` are pairs of a URI and a schema's text. Throws Refusal.
  Documents(std::string_view schema, const std::vector<std::pair<std::string, std::string>>& others, Budget& budget);

  Site root() const noexcept { return Site{0}; }
  std::uint32_t size() const noexcept { return static_cast<std::uint32_t>(places_.size()); }
  const Json& json(Site site) const { return *at(site).json; }
  Draft draft(Site site) const { return at(site).draft; }
  /// Whether $ref takes the place of everything beside it, as it does in drafts up to 7.
  bool ref_stands_alone(Site site) const;
  /// The subschema that a value within a schema is.
  Site site_of(const Json& json) const { return sites_.at(&json); }
  /// The JSON Pointer fragment of a subschema: "#/properties/a", after the URI of its document if that is not the first.
  std::string path(Site site) const;
  /// What `reference` names, seen from `from`. Throws Refusal with `keyword` if that is no subschema here.
  Site resolve(Site from, std::string_view keyword, std::string_view reference);
  /// What $dynamicRef or $recursiveRef names, where that does not depend on how `from` was reached; otherwise throws Refusal.
  Site resolve_dynamic(Site from, std::string_view keyword, std::string_view reference);

  [[noreturn]] void refuse(Site site, std::string_view code, std::string_view keyword, const std::string& message) const;

 private:
  struct Place {
    const Json* json;
    std::uint32_t parent;  // kNone at the root of a document
    std::string pointer;   // from the parent
    std::uint32_t base;    // URI against which references are resolved, of uris_
    Draft draft;
  };

  static constexpr std::uint32_t kNone = 0xFFFFFFFF;

  const Place& at(Site site) const { return places_[static_cast<std::uint32_t>(site)]; }
  Site add(const Json& json, std::uint32_t parent, std::string pointer, std::uint32_t base, Draft draft);
  void add_below(Site site);
  void add_child(Site site, const JsonMember& member, const Json& json, std::string pointer);
  void read_names(Site site);
  std::uint32_t uri_id(std::string uri);
  Site follow(Site from, std::string_view keyword, Site resource, std::string_view pointer);

  Budget* budget_;
  std::deque<Json> texts_;  // the documents; their addresses stay
  std::vector<std::string> uris_;
  std::vector<Place> places_;
  std::unordered_map<const Json*, Site> sites_;
  std::unordered_map<std::string, Site> resources_;                 // by URI without fragment
  std::unordered_map<std::string, Site> anchors_;                   // by URI with fragment
  std::unordered_map<std::string, std::uint32_t> dynamic_anchors_;  // how many of a name there are
};

}  // namespace heed::grammar

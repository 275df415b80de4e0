// The subschemas of a schema and of further documents: their positions, drafts and references.
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

/// A subschema: an object or a boolean at a position in a document.
enum class Site : std::uint32_t {};

enum class Draft : std::uint8_t {
  draft4,
  draft6,
  draft7,
  draft2019,
  draft2020,
  unnamed,  // no known $schema: read as 2020-12, plus the keywords that only older drafts have
};

class Documents {
 public:
  /// Finds all subschemas. `others`: pairs of a URI and the text of a schema. Throws Refusal.
  Documents(std::string_view schema, const std::vector<std::pair<std::string, std::string>>& others, Budget& budget);

  Site root() const noexcept { return Site{0}; }
  std::uint32_t size() const noexcept { return static_cast<std::uint32_t>(places_.size()); }
  const Json& json(Site site) const { return *at(site).json; }
  Draft draft(Site site) const { return at(site).draft; }
  /// Whether a $ref makes all keywords beside it ineffective, as in drafts up to 7.
  bool ref_stands_alone(Site site) const;
  /// The subschema at a value of a document.
  Site site_of(const Json& json) const { return sites_.at(&json); }
  /// The JSON Pointer of a subschema as a fragment, such as "#/properties/a"; preceded by the URI of its document unless that is
  /// the first.
  std::string path(Site site) const;
  /// Resolves `reference` relative to `from`. Throws Refusal with `keyword` if no known subschema is there.
  Site resolve(Site from, std::string_view keyword, std::string_view reference);
  /// Resolves $dynamicRef or $recursiveRef. Throws Refusal if the target depends on the path by which `from` was reached.
  Site resolve_dynamic(Site from, std::string_view keyword, std::string_view reference);

  [[noreturn]] void refuse(Site site, std::string_view code, std::string_view keyword, const std::string& message) const;

 private:
  struct Place {
    const Json* json;
    std::uint32_t parent;  // kNone at the root of a document
    std::string pointer;   // relative to the parent
    std::uint32_t base;    // index in uris_: the base URI of references
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
  std::deque<Json> texts_;  // the documents, at stable addresses
  std::vector<std::string> uris_;
  std::vector<Place> places_;
  std::unordered_map<const Json*, Site> sites_;
  std::unordered_map<std::string, Site> resources_;                 // by URI without fragment
  std::unordered_map<std::string, Site> anchors_;                   // by URI with fragment
  std::unordered_map<std::string, std::uint32_t> dynamic_anchors_;  // the number of anchors by name
};

}  // namespace heed::grammar

#include "grammar/schema/documents.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>

#include "grammar/schema/uri.hpp"

namespace heed::grammar {
namespace {

constexpr std::uint32_t kMaxSubschemas = 200'000;

constexpr std::array<std::string_view, 12> kHoldsOne = {
    "additionalItems",  "additionalProperties", "contains", "contentSchema", "else", "if", "items", "not", "propertyNames", "then",
    "unevaluatedItems", "unevaluatedProperties"};
constexpr std::array<std::string_view, 5> kHoldsList = {"allOf", "anyOf", "items", "oneOf", "prefixItems"};
constexpr std::array<std::string_view, 6> kHoldsMap = {
    "$defs", "definitions", "dependencies", "dependentSchemas", "patternProperties", "properties"};

template <std::size_t n>
bool among(const std::array<std::string_view, n>& words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

bool may_be_schema(const Json& json) { return json.is(Json::Kind::object) || json.is(Json::Kind::boolean); }

Draft named_draft(std::string_view uri) {
  constexpr std::pair<std::string_view, Draft> kUris[] = {{"json-schema.org/draft-04/schema", Draft::draft4},
                                                          {"json-schema.org/draft-06/schema", Draft::draft6},
                                                          {"json-schema.org/draft-07/schema", Draft::draft7},
                                                          {"json-schema.org/draft/2019-09/schema", Draft::draft2019},
                                                          {"json-schema.org/draft/2020-12/schema", Draft::draft2020}};
  if (uri.ends_with('#')) uri.remove_suffix(1);
  for (const std::string_view scheme : {"http://", "https://"})
    if (uri.starts_with(scheme))
      for (const auto& [name, draft] : kUris)
        if (uri.substr(scheme.size()) == name) return draft;
  return Draft::unnamed;
}

}  // namespace

Documents::Documents(std::string_view schema, const std::vector<std::pair<std::string, std::string>>& others, Budget& budget)
    : budget_(&budget) {
  const auto read = [&](std::string_view text, const std::string& uri) {
    const Json& json = texts_.emplace_back(read_json(text, *budget_));
    if (!may_be_schema(json)) throw Refusal{"invalid", "schema", uri + "#", "a schema is an object or a boolean"};
    const std::uint32_t base = uri_id(uri);
    resources_.emplace(uri, Site{size()});
    add(json, kNone, {}, base, Draft::unnamed);
  };
  read(schema, "");
  for (const auto& [uri, text] : others) read(text, std::string(split_fragment(uri).first));
}

bool Documents::ref_stands_alone(Site site) const {
  const Draft draft = at(site).draft;
  return draft <= Draft::draft7 && at(site).json->find("$ref") != nullptr;
}

std::uint32_t Documents::uri_id(std::string uri) {
  if (uris_.empty() || uris_.back() != uri) uris_.push_back(std::move(uri));
  return static_cast<std::uint32_t>(uris_.size() - 1);
}

Site Documents::add(const Json& json, std::uint32_t parent, std::string pointer, std::uint32_t base, Draft draft) {
  budget_->spend(4);
  if (const auto known = sites_.find(&json); known != sites_.end()) return known->second;
  if (size() >= kMaxSubschemas)
    throw Refusal{"too-large", "schema", "#", "more than " + std::to_string(kMaxSubschemas) + " subschemas"};
  const Site site{size()};
  places_.push_back({&json, parent, std::move(pointer), base, draft});
  sites_.emplace(&json, site);
  if (json.is(Json::Kind::object)) {
    read_names(site);
    add_below(site);
  }
  return site;
}

// Reads $schema, $id and anchors.
void Documents::read_names(Site site) {
  Place& place = places_[static_cast<std::uint32_t>(site)];
  const Json& json = *place.json;
  if (const Json* uri = json.find("$schema"); uri && uri->is(Json::Kind::string)) place.draft = named_draft(uri->text);
  if (ref_stands_alone(site) && place.parent != kNone) return;
  const auto text_of = [&](std::string_view keyword) -> const std::string* {
    const Json* value = json.find(keyword);
    return value && value->is(Json::Kind::string) ? &value->text : nullptr;
  };
  const std::string* id = place.draft == Draft::draft4 ? nullptr : text_of("$id");
  if (!id && (place.draft == Draft::draft4 || place.draft == Draft::unnamed)) id = text_of("id");
  if (id) {
    const std::string uri = resolve_uri(uris_[place.base], *id);
    const auto [resource, fragment] = split_fragment(uri);
    if (!fragment.empty()) anchors_.emplace(uri, site);
    if (!id->starts_with('#')) {
      resources_.emplace(std::string(resource), site);
      place.base = uri_id(std::string(resource));
    }
  }
  for (const std::string_view keyword : {"$anchor", "$dynamicAnchor"}) {
    const std::string* name = text_of(keyword);
    if (!name) continue;
    anchors_.emplace(uris_[place.base] + "#" + *name, site);
    if (keyword == "$dynamicAnchor") ++dynamic_anchors_[*name];
  }
  if (const Json* recursive = json.find("$recursiveAnchor"); recursive && recursive->truth) ++dynamic_anchors_[""];
}

void Documents::add_child(Site site, const JsonMember& member, const Json& json, std::string pointer) {
  if (!may_be_schema(json)) refuse(site, "invalid", member.key, "a schema is an object or a boolean");
  const Place& place = at(site);
  add(json, static_cast<std::uint32_t>(site), std::move(pointer), place.base, place.draft);
}

void Documents::add_below(Site site) {
  for (const JsonMember& member : at(site).json->members) {
    const Json& value = member.value;
    std::string pointer;
    append_pointer(pointer, member.key);
    if (value.is(Json::Kind::array) && among(kHoldsList, member.key)) {
      for (std::size_t i = 0; i < value.items.size(); ++i)
        add_child(site, member, value.items[i], pointer + "/" + std::to_string(i));
    } else if (value.is(Json::Kind::object) && among(kHoldsMap, member.key)) {
      for (const JsonMember& entry : value.members) {
        if (member.key == "dependencies" && entry.value.is(Json::Kind::array)) continue;
        std::string below = pointer;
        append_pointer(below, entry.key);
        add_child(site, member, entry.value, std::move(below));
      }
    } else if (among(kHoldsOne, member.key)) {
      add_child(site, member, value, std::move(pointer));
    }
  }
}

std::string Documents::path(Site site) const {
  std::vector<const Place*> places;
  for (auto i = static_cast<std::uint32_t>(site); i != kNone; i = places_[i].parent) places.push_back(&places_[i]);
  std::string path = &at(Site{0}) == places.back() ? "#" : uris_[places.back()->base] + "#";
  for (std::size_t i = places.size(); i-- > 0;) path += places[i]->pointer;
  return path;
}

void Documents::refuse(Site site, std::string_view code, std::string_view keyword, const std::string& message) const {
  throw Refusal{std::string(code), std::string(keyword), path(site), message};
}

Site Documents::follow(Site from, std::string_view keyword, Site resource, std::string_view pointer) {
  const auto missing = [&, whole = pointer] { refuse(from, "invalid", keyword, "there is nothing at #" + std::string(whole)); };
  const Json* json = at(resource).json;
  Site nearest = resource;  // the innermost known subschema around `json`
  std::string below;        // the pointer from there to `json`
  while (!pointer.empty()) {
    if (!pointer.starts_with('/')) missing();
    const std::size_t end = std::min(pointer.find('/', 1), pointer.size());
    std::string key;
    for (std::size_t i = 1; i < end; ++i) {
      const bool escaped = pointer[i] == '~' && i + 1 < end && (pointer[i + 1] == '0' || pointer[i + 1] == '1');
      key += escaped ? (pointer[++i] == '0' ? '~' : '/') : pointer[i];
    }
    pointer.remove_prefix(end);
    if (json->is(Json::Kind::array)) {
      std::size_t index = 0;
      const auto [last, error] = std::from_chars(key.data(), key.data() + key.size(), index);
      if (error != std::errc() || last != key.data() + key.size() || index >= json->items.size()) missing();
      json = &json->items[index];
    } else {
      json = json->find(key);
      if (!json) missing();
    }
    append_pointer(below, key);
    if (const auto known = sites_.find(json); known != sites_.end()) nearest = known->second, below.clear();
  }
  if (below.empty()) return nearest;
  if (!may_be_schema(*json)) refuse(from, "invalid", keyword, "it refers to something that is not a schema");
  return add(*json, static_cast<std::uint32_t>(nearest), below, at(nearest).base, at(nearest).draft);
}

Site Documents::resolve(Site from, std::string_view keyword, std::string_view reference) {
  budget_->spend(4);
  const std::string uri = resolve_uri(uris_[at(from).base], reference);
  const auto [resource, fragment] = split_fragment(uri);
  const auto found = resources_.find(std::string(resource));
  if (const auto anchor = anchors_.find(uri); anchor != anchors_.end()) return anchor->second;
  if (found == resources_.end())
    refuse(from, "unsupported", keyword, "it refers to " + std::string(resource) + ", which is not in option schemas");
  if (fragment.empty()) return found->second;
  const std::string decoded = percent_decoded(fragment);
  if (decoded.starts_with('/')) return follow(from, keyword, found->second, decoded);
  const auto anchor = anchors_.find(std::string(resource) + "#" + decoded);
  if (anchor == anchors_.end()) refuse(from, "invalid", keyword, "there is no anchor " + decoded);
  return anchor->second;
}

Site Documents::resolve_dynamic(Site from, std::string_view keyword, std::string_view reference) {
  const Site site = resolve(from, keyword, reference);
  const std::string_view name = split_fragment(reference).second;
  const Json* anchor = json(site).find(name.empty() ? "$recursiveAnchor" : "$dynamicAnchor");
  const bool dynamic = anchor && (name.empty() ? anchor->truth : anchor->text == name);
  if (!dynamic) return site;
  if (dynamic_anchors_[std::string(name)] > 1) refuse(from, "unsupported", keyword, "its target depends on how it is reached");
  return site;
}

}  // namespace heed::grammar

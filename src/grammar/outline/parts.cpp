#include "grammar/outline/parts.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>

#include "grammar/notation.hpp"
#include "grammar/refusal.hpp"
#include "grammar/schema/json.hpp"

namespace heed::grammar {
namespace {

[[noreturn]] void refuse_outline(const std::string& message) { throw Refusal{"invalid", "outline", "", message}; }

/// Finds control tokens by their texts.
class ControlTexts {
 public:
  ControlTexts(const TokenTexts& vocabulary, Budget& budget) : budget_(budget) {
    for (std::size_t i = 0; i < vocabulary.size(); ++i) {
      const auto token = static_cast<TokenId>(i);
      if (vocabulary.use(token) != TokenUse::control) continue;
      const std::string_view spelled = vocabulary.text(token);
      by_first_byte_[static_cast<std::uint8_t>(spelled[1])].push_back(spelled);
    }
    for (auto& spelled : by_first_byte_) std::ranges::sort(spelled, std::ranges::greater(), &std::string_view::size);
  }

  /// Replaces texts of control tokens, the longest first, by the bytes of these tokens (kControlBegin, text, kControlEnd).
  std::string spell(std::string_view text) const {
    std::string spelled;
    while (!text.empty()) {
      const auto& candidates = by_first_byte_[static_cast<std::uint8_t>(text[0])];
      budget_.spend(1 + candidates.size());
      const auto control = std::ranges::find_if(candidates, [&](std::string_view candidate) {
        return text.starts_with(candidate.substr(1, candidate.size() - 2));
      });
      const bool plain = control == candidates.end();
      spelled += plain ? text.substr(0, 1) : *control;
      text.remove_prefix(plain ? 1 : control->size() - 2);
    }
    return spelled;
  }

 private:
  Budget& budget_;
  std::array<std::vector<std::string_view>, 256> by_first_byte_;
};

/// Translates an outline to parts, from its end to its beginning.
class OutlineReader {
 public:
  explicit OutlineReader(const TokenTexts& vocabulary) : controls_(vocabulary, parts_.workspace->budget) {}

  Parts read(std::string_view outline) {
    const Json json = read_json(outline, parts_.workspace->budget);
    parts_.start = read(json, add({}));
    return std::move(parts_);
  }

 private:
  PartId add(Part part) {
    parts_.workspace->budget.spend(1 + part.next.size() + part.text.size());
    parts_.parts.push_back(std::move(part));
    return static_cast<PartId>(parts_.parts.size() - 1);
  }

  /// Adds an outline followed by `after`. Returns its first part.
  PartId read(const Json& outline, PartId after) {
    if (outline.is(Json::Kind::string)) return read_literal(outline.text, after);
    if (outline.is(Json::Kind::array)) {
      for (std::size_t i = outline.items.size(); i-- > 0;) after = read(outline.items[i], after);
      return after;
    }
    if (outline.find("notation")) return read_constraint(outline, after);
    if (outline.find("inOrder")) return read_in_order(outline, after);
    if (outline.members.size() != 1) refuse_outline("expected a text, an array, or an object of one kind of part");
    const auto& [kind, value] = outline.members[0];
    if (kind == "control") return read_literal(controls_.spell(text_of(value, kind)), after);
    if (kind == "oneOf") {
      if (!value.is(Json::Kind::array) || value.items.empty()) refuse_outline("oneOf must be an array with something in it");
      Part fork{.kind = Part::Kind::fork};
      for (const Json& item : value.items) fork.next.push_back(read(item, after));
      return add(std::move(fork));
    }
    if (kind == "many") {
      const PartId fork = add({.kind = Part::Kind::fork, .next = {after}});
      const PartId again = read(value, fork);
      parts_.parts[fork].next.push_back(again);
      return fork;
    }
    if (kind == "until") return read_search(value, after, Part::Kind::search);
    if (kind == "free") return read_search(value, after, Part::Kind::free);
    if (kind == "once") return read_search(value, after, Part::Kind::free, true);
    refuse_outline("unknown part " + kind);
  }

  PartId read_literal(std::string text, PartId after) {
    return text.empty() ? after : add({.kind = Part::Kind::literal, .next = {after}, .text = std::move(text)});
  }

  PartId read_constraint(const Json& constraint, PartId after) {
    std::string name, text, options = "{}";
    std::optional<Notation> notation;
    for (const auto& [key, value] : constraint.members) {
      if (key == "notation") notation = notation_of(text_of(value, key));
      else if (key == "text") text = text_of(value, key);
      else if (key == "options") options = write_json(value);
      else if (key == "name") name = text_of(value, key);
      else refuse_outline("unknown member " + key + " of a constraint");
    }
    std::shared_ptr<Language>& shared = languages_[write_json(constraint)];
    if (shared) return add({.kind = Part::Kind::constraint, .next = {after}, .language = shared});
    try {
      auto [language, ignored] = make_language(*notation, text, read_schema_options(options), parts_.workspace);
      parts_.ignored.insert(parts_.ignored.end(), ignored.begin(), ignored.end());
      shared = std::move(language);
      return add({.kind = Part::Kind::constraint, .next = {after}, .language = shared});
    } catch (Refusal& refusal) {
      if (!name.empty()) refusal.message.insert(0, name + ": ");
      throw;
    }
  }

  /// Each item can be entered in two ways: as the first one, or after the separator.
  PartId read_in_order(const Json& outline, PartId after) {
    const Json& items = *outline.find("inOrder");
    const Json* by = outline.find("by");
    if (!items.is(Json::Kind::array) || !by || outline.members.size() != 2)
      refuse_outline("inOrder must be an array, beside what stands between its items");
    PartId first = after, later = after;
    for (std::size_t i = items.items.size(); i-- > 0;) {
      const Json* optional = items.items[i].find("optional");
      const PartId item = read(optional ? *optional : items.items[i], later);
      const PartId separated = read(*by, item);
      later = optional ? add({.kind = Part::Kind::fork, .next = {separated, later}}) : separated;
      first = optional ? add({.kind = Part::Kind::fork, .next = {item, first}}) : item;
    }
    return first;
  }

  PartId read_search(const Json& choices, PartId after, Part::Kind kind, bool ends = false) {
    if (!choices.is(Json::Kind::array)) refuse_outline("until, free and once must be arrays of markers");
    if (choices.items.empty() && kind == Part::Kind::search) refuse_outline("until needs a marker");
    const PartId search = add({.kind = kind});
    std::vector<std::string> markers;
    std::vector<PartId> after_each;
    for (const Json& choice : choices.items) {
      const Json* marker = choice.find("marker");
      const Json* next = choice.find("next");
      if (!marker || choice.members.size() != (next ? 2 : 1)) refuse_outline("expected a marker and what follows it");
      markers.push_back(controls_.spell(text_of(*marker, "marker")));
      if (markers.back().empty()) refuse_outline("a marker cannot be empty");
      parts_.workspace->budget.spend(markers.back().size());
      const PartId beyond = kind == Part::Kind::free && !ends ? search : after;
      after_each.push_back(next ? read(*next, beyond) : beyond);
    }
    if (kind == Part::Kind::free) after_each.push_back(after);
    parts_.parts[search].next = std::move(after_each);
    parts_.parts[search].search = MarkerSearch(markers);
    return search;
  }

  static std::string text_of(const Json& value, std::string_view name) {
    if (!value.is(Json::Kind::string)) refuse_outline(std::string(name) + " must be a text");
    return value.text;
  }

  static Notation notation_of(std::string_view name) {
    if (name == "schema") return Notation::schema;
    if (name == "regex") return Notation::regex;
    if (name == "gbnf") return Notation::gbnf;
    refuse_outline("unknown notation " + std::string(name));
  }

  Parts parts_{.workspace = own_workspace()};
  ControlTexts controls_;
  std::map<std::string, std::shared_ptr<Language>> languages_;  // by constraint, as JSON
};

}  // namespace

Parts read_parts(std::string_view outline, const TokenTexts& vocabulary) { return OutlineReader(vocabulary).read(outline); }

}  // namespace heed::grammar

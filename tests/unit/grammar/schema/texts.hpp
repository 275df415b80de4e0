// Helpers to test texts against a schema's language.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "grammar/refusal.hpp"
#include "grammar/schema/schema.hpp"

namespace heed::test {

/// Options for all valid values of a schema in all spellings, where `given` does not say otherwise.
inline grammar::SchemaOptions open_options(std::string_view given = "{}") {
  return grammar::read_schema_options(given, grammar::whole_language());
}

class SchemaTexts {
 public:
  explicit SchemaTexts(std::string_view schema, const grammar::SchemaOptions& options = open_options())
      : language_(grammar::make_schema_language(schema, options).language) {}
  SchemaTexts(std::string_view schema, std::string_view options) : SchemaTexts(schema, open_options(options)) {}

  grammar::Language& language() { return *language_; }
  /// The state after `text`; kDead if no accepted text begins so.
  grammar::State read(std::string_view text) {
    language_->budget().refill();
    grammar::State state = language_->start();
    for (const char byte : text) {
      state = language_->step(state, static_cast<std::uint8_t>(byte));
      if (state == grammar::State::kDead) break;
    }
    return state;
  }
  bool viable(std::string_view text) { return read(text) != grammar::State::kDead; }
  bool accepts(std::string_view text) {
    const grammar::State state = read(text);
    return state != grammar::State::kDead && language_->accepts(state);
  }

 private:
  std::unique_ptr<grammar::Language> language_;
};

/// The refusal of a schema, as "code keyword path"; "none" if it is accepted.
inline std::string refused_as(std::string_view schema, std::string_view options = "{}") {
  try {
    grammar::make_schema_language(schema, open_options(options));
  } catch (const grammar::Refusal& refusal) {
    return refusal.code + " " + refusal.keyword + " " + refusal.path;
  }
  return "none";
}

}  // namespace heed::test

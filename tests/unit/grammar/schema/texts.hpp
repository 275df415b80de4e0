// What a schema's language says about texts.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "grammar/refusal.hpp"
#include "grammar/schema/schema.hpp"

namespace heed::test {

/// With what options leave open open: all that is valid under a schema, in any of its spellings.
inline grammar::SchemaOptions open_options(std::string_view given = "{}") {
  return grammar::read_schema_options(given, grammar::whole_language());
}

class SchemaTexts {
 public:
  explicit SchemaTexts(std::string_view schema, const grammar::SchemaOptions& options = open_options())
      : language_(grammar::make_schema_language(schema, options).language) {}
  SchemaTexts(std::string_view schema, std::string_view options) : SchemaTexts(schema, open_options(options)) {}

  grammar::Language& language() { return *language_; }
  /// kDead where no accepted text begins so.
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

/// "code keyword path" of the refusal; "none" where there is none.
inline std::string refused_as(std::string_view schema, std::string_view options = "{}") {
  try {
    grammar::make_schema_language(schema, open_options(options));
  } catch (const grammar::Refusal& refusal) {
    return refusal.code + " " + refusal.keyword + " " + refusal.path;
  }
  return "none";
}

}  // namespace heed::test

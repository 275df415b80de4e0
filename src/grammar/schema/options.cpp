#include "grammar/schema/options.hpp"

#include <charconv>
#include <optional>

#include "grammar/refusal.hpp"
#include "grammar/schema/json.hpp"

namespace heed::grammar {
namespace {

constexpr std::uint32_t kMaxIndent = 10;  // as in JSON.stringify
constexpr std::uint32_t kMaxGap = 65'535;
constexpr std::uint32_t kAnyGap = 64;  // limited, so that a model cannot write white space forever

[[noreturn]] void refuse_option(const std::string& name, const std::string& expected) {
  throw Refusal{"invalid", name, "", "option " + name + " must be " + expected};
}

std::optional<std::uint32_t> whole_number(const Json& value, std::uint32_t max) {
  std::uint32_t number = 0;
  const char* end = value.text.data() + value.text.size();
  const auto [last, error] = std::from_chars(value.text.data(), end, number);
  if (!value.is(Json::Kind::number) || error != std::errc() || last != end || number > max) return std::nullopt;
  return number;
}

Whitespace read_whitespace(const Json& value, Whitespace whitespace) {
  if (value.is(Json::Kind::string) && value.text == "any") {
    whitespace.limit = kAnyGap;
    return whitespace;
  }
  whitespace.kind = Whitespace::Kind::compact;
  if (value.is(Json::Kind::string) && value.text == "compact") return whitespace;
  const Json* indent = value.find("indent");
  const auto number = indent && value.members.size() == 1 ? whole_number(*indent, kMaxIndent) : std::nullopt;
  if (!number) refuse_option("whitespace", "\"any\", \"compact\" or {\"indent\": 0 to " + std::to_string(kMaxIndent) + "}");
  if (*number > 0) whitespace.kind = Whitespace::Kind::indented;
  whitespace.indent = *number;
  return whitespace;
}

}  // namespace

SchemaOptions read_schema_options(std::string_view json, SchemaOptions options) {
  Budget budget;
  const Json value = read_json(json, budget);
  if (!value.is(Json::Kind::object)) throw Refusal{"invalid", "options", "", "options must be an object"};
  // The index of the value in `texts`.
  const auto choice = [](const JsonMember& option, std::initializer_list<std::string_view> texts) {
    std::string expected;
    std::size_t i = 0;
    for (const std::string_view text : texts) {
      if (option.value.is(Json::Kind::string) && option.value.text == text) return i;
      expected += (i++ > 0 ? " or \"" : "\"") + std::string(text) + "\"";
    }
    refuse_option(option.key, expected);
  };
  std::optional<std::uint32_t> limit;
  for (const JsonMember& option : value.members) {
    if (option.key == "whitespace") {
      options.whitespace = read_whitespace(option.value, options.whitespace);
    } else if (option.key == "maxWhitespace") {
      const auto number = whole_number(option.value, kMaxGap);
      if (!number) refuse_option(option.key, "a whole number up to " + std::to_string(kMaxGap));
      limit = number;
    } else if (option.key == "order") {
      options.order = choice(option, {"schema", "any"}) == 0 ? KeyOrder::schema : KeyOrder::any;
    } else if (option.key == "escapes") {
      options.any_escapes = choice(option, {"any", "canonical"}) == 0;
    } else if (option.key == "formats") {
      options.formats = static_cast<Formats>(choice(option, {"known", "strict", "annotate"}));
    } else if (option.key == "closed") {
      if (!option.value.is(Json::Kind::boolean)) refuse_option(option.key, "true or false");
      options.closed = option.value.truth ? Closed::yes : Closed::no;
    } else if (option.key == "schemas") {
      if (!option.value.is(Json::Kind::object)) refuse_option(option.key, "an object of schemas by URI");
      for (const JsonMember& schema : option.value.members)
        options.schemas.emplace_back(schema.key,
                                     schema.value.is(Json::Kind::string) ? schema.value.text : write_json(schema.value));
    } else {
      throw Refusal{"invalid", option.key, "", "unknown option " + option.key};
    }
  }
  options.whitespace.limit = limit.value_or(options.whitespace.limit);
  return options;
}

SchemaOptions whole_language() {
  SchemaOptions options;
  options.whitespace.limit = kAnyGap;
  options.closed = Closed::no;
  return options;
}

}  // namespace heed::grammar

#include "cli/add_option.hpp"

#include <charconv>

#include "cli/output.hpp"
#include "grammar/refusal.hpp"

namespace heed::cli {

bool read_value(const std::string& text, std::optional<KvType>& type) {
  type = parse_kv_type(text);  // `auto` is an absent one
  return type || text == "auto";
}

bool read_value(const std::string& text, std::optional<runtime::Pooling>& pooling) {
  return (pooling = runtime::parse_pooling(text)).has_value();
}

bool read_value(const std::string& text, grammar::Whitespace& whitespace) {
  const bool indents = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
  try {
    const std::string value = indents ? R"({"indent": )" + text + "}" : Json(text).dump();
    whitespace = grammar::read_schema_options(R"({"whitespace": )" + value + "}").whitespace;
    return true;
  } catch (const grammar::Refusal&) {
    return false;
  }
}

bool read_value(const std::string& text, grammar::Closed& closed) {
  closed = text == "true" ? grammar::Closed::yes : grammar::Closed::no;
  return text == "true" || text == "false";
}

bool read_value(const std::string& text, std::vector<std::pair<tokenizer::TokenId, float>>& biases) {
  auto& [id, bias] = biases.emplace_back();
  const char* const end = text.data() + text.size();
  const auto name = std::from_chars(text.data(), end, id);
  if (name.ec != std::errc() || name.ptr == end || *name.ptr != '=') return false;
  const auto value = std::from_chars(name.ptr + 1, end, bias);
  return value.ec == std::errc() && value.ptr == end;
}

bool read_value(const std::string& text, std::vector<std::string>& texts) {
  texts.push_back(text);
  return true;
}

}  // namespace heed::cli

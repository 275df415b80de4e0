// Adds an option for a field of any type to a command. Generated calls of it are in cli/options.generated.hpp.
#pragma once

#include <CLI/CLI.hpp>
#include <concepts>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "grammar/schema/options.hpp"
#include "runtime/pooling.hpp"
#include "tensor/kv_type.hpp"
#include "tokenizer/tokenizer.hpp"

namespace heed::cli {

// These read the values that CLI11 cannot read, and return false for one that is not valid. Lists grow by one item.
bool read_value(const std::string& text, std::optional<KvType>& type);
bool read_value(const std::string& text, std::optional<runtime::Pooling>& pooling);
bool read_value(const std::string& text, grammar::Whitespace& whitespace);
bool read_value(const std::string& text, grammar::Closed& closed);
bool read_value(const std::string& text, std::vector<std::pair<tokenizer::TokenId, float>>& biases);
bool read_value(const std::string& text, std::vector<std::string>& texts);

template <class Field>
concept HasReader = requires(const std::string& text, Field& field) { read_value(text, field); };

/// `value` stands for the value in the help, which also shows a number's default. A flag reverses its field.
template <class Field>
CLI::Option* add_option(CLI::App& command, const std::string& names, Field& field, std::string value, const std::string& help) {
  if constexpr (std::same_as<Field, bool>) {
    return command.add_flag_callback(names, [&field] { field = !field; }, help);
  } else if constexpr (HasReader<Field>) {
    const auto read = [&field, names, value](const std::string& text) {
      if (!read_value(text, field)) throw CLI::ValidationError(names, text + " is not " + value);
    };
    constexpr bool is_list = requires { field.push_back({}); };
    return command.add_option_function<std::string>(names, read, help)->trigger_on_parse(is_list)->option_text(value);
  } else {
    if constexpr (std::is_arithmetic_v<Field>) value += " [" + CLI::detail::to_string(field) + "]";
    return command.add_option(names, field, help)->option_text(value);
  }
}

/// An option whose value is checked first.
template <class Field>
CLI::Option* add_option(CLI::App& command, const std::string& names, Field& field, std::string value, const CLI::Validator& check,
                        const std::string& help) {
  return add_option(command, names, field, std::move(value), help)->check(check);
}

/// An option whose value is a list with commas between its items.
template <class Item>
CLI::Option* add_list(CLI::App& command, const std::string& names, std::vector<Item>& field, const std::string& value,
                      const std::string& help) {
  return command.add_option(names, field, help)->delimiter(',')->allow_extra_args(false)->option_text(value);
}

}  // namespace heed::cli

#include "cli/change_options.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "base/error.hpp"

namespace heed::cli {
namespace {

template <class Number>
std::optional<Number> parse_number(std::string_view text) {
  Number number{};
  const auto [read, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || error != std::errc() || read != text.data() + text.size()) return std::nullopt;
  return number;
}

using Range = std::pair<std::size_t, std::size_t>;

/// Parses FROM-TO; TO may be left out if there is a default end.
std::optional<Range> parse_range(std::string_view text, std::optional<std::size_t> end = {}) {
  const std::size_t dash = text.find('-');
  if (dash == text.npos) return std::nullopt;
  const auto from = parse_number<std::size_t>(text.substr(0, dash));
  const auto to = dash + 1 == text.size() ? end : parse_number<std::size_t>(text.substr(dash + 1));
  return from && to ? std::optional(Range{*from, *to}) : std::nullopt;
}

/// Removes the last separator and what follows it, if `parse` accepts that; file names may contain the separator, too.
template <class Parse>
auto take_off(std::string& text, char separator, Parse parse) {
  const std::size_t at = text.rfind(separator);
  auto value = at == text.npos ? decltype(parse(std::string_view()))() : parse(std::string_view(text).substr(at + 1));
  if (value) text.resize(at);
  return value;
}

/// Calls read(bytes of the file); its errors then name the file.
template <class Read>
auto read_file(const std::string& path, Read read) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw Error(ErrorCode::io, "cannot be opened", path);
  const std::string bytes(std::istreambuf_iterator<char>(file), {});
  try {
    return read(std::as_bytes(std::span(bytes)));
  } catch (const Error& error) {
    throw Error(error.code(), error.message(), path);
  }
}

}  // namespace

void ChangeOptions::add_to(CLI::App& command) {
  const auto add = [&](const char* name, std::vector<std::string>& values, const char* description, const char* text) {
    command.add_option_function<std::string>(
               name, [&values](const std::string& value) { values.push_back(value); }, description)
        ->trigger_on_parse()
        ->option_text(text);
  };
  add("--lora", adapters, "Adapter, times SCALE, for tokens from position FROM to before TO; repeatable",
      "FILE[:SCALE][@FROM-[TO]]");
  add("--control-vector", control_vectors, "Directions, times SCALE, for layers FROM to TO; repeatable", "FILE[:SCALE][:FROM-TO]");
}

runtime::Changes ChangeOptions::changes(const engine::Engine& engine, std::vector<runtime::Edit> edits) const {
  using Bytes = std::span<const std::byte>;
  runtime::Changes changes;
  for (std::string path : adapters) {
    const auto range = take_off(path, '@', [](std::string_view text) { return parse_range(text, runtime::kEverywhere); });
    const float scale = take_off(path, ':', parse_number<float>).value_or(1.0f);
    changes.adapters.push_back({read_file(path, [&](Bytes bytes) { return engine.read_adapter(bytes); }), scale});
    if (range) changes.adapters.back().range = {range->first, range->second};
  }
  std::vector<runtime::Edit> all;
  for (std::string path : control_vectors) {
    const auto layers = take_off(path, ':', [](std::string_view text) { return parse_range(text); });
    const float scale = take_off(path, ':', parse_number<float>).value_or(1.0f);
    auto directions = read_file(path, [&](Bytes bytes) { return engine.read_control_vector(bytes, scale, layers); });
    std::ranges::move(directions, std::back_inserter(all));
  }
  std::ranges::move(edits, std::back_inserter(all));
  if (!all.empty()) changes.edits = engine.make_edits(std::move(all));
  return changes;
}

}  // namespace heed::cli

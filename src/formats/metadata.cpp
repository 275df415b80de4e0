// The typed accessors of Metadata: every wrong type or range is an error that names its key.
#include "formats/metadata.hpp"

#include <cmath>
#include <functional>
#include <limits>
#include <utility>

namespace heed::formats {

void Metadata::set(std::string key, Value value) {
  const auto [it, inserted] = values_.emplace(std::move(key), std::move(value));
  if (!inserted) throw Error(ErrorCode::invalid_file, "the metadata appears twice", it->first);
}

Error Metadata::missing(std::string_view key) {
  return Error(ErrorCode::invalid_file, "the metadata is missing", std::string(key));
}

std::uint32_t Metadata::count(std::string_view key) const {
  const auto value = require<std::int64_t>(key);
  if (value < 0 || value > std::numeric_limits<std::uint32_t>::max())
    throw Error(ErrorCode::invalid_file, "the value " + std::to_string(value) + " is out of range", std::string(key));
  return static_cast<std::uint32_t>(value);
}

std::uint32_t Metadata::count(std::string_view key, std::uint32_t fallback) const { return contains(key) ? count(key) : fallback; }

float Metadata::number(std::string_view key) const {
  const auto it = values_.find(key);
  if (it == values_.end()) throw missing(key);
  const auto* integer = std::get_if<std::int64_t>(&it->second);
  const double value = integer ? static_cast<double>(*integer) : require<double>(key);
  if (!(std::abs(value) <= std::numeric_limits<float>::max()))
    throw Error(ErrorCode::invalid_file, "the value is not a finite number", std::string(key));
  return static_cast<float>(value);
}

float Metadata::number(std::string_view key, float fallback) const { return contains(key) ? number(key) : fallback; }

bool Metadata::flag(std::string_view key, bool fallback) const {
  const bool* value = find<bool>(key);
  return value ? *value : fallback;
}

std::string Metadata::text(std::string_view key, std::string fallback) const {
  const std::string* value = find<std::string>(key);
  if (value) return *value;
  return fallback;
}

}  // namespace heed::formats

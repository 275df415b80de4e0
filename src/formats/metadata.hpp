// Key/value metadata of a model file, independent of the file format it came from.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/error.hpp"

namespace heed::formats {

class Metadata {
 public:
  using Integers = std::vector<std::int64_t>;
  using Floats = std::vector<float>;
  using Strings = std::vector<std::string>;
  /// Integers of every width, and booleans in arrays, are widened to int64; float scalars to double.
  using Value = std::variant<bool, std::int64_t, double, std::string, Integers, Floats, Strings>;

  /// Throws invalid_file if the key exists already.
  void set(std::string key, Value value);

  bool contains(std::string_view key) const { return values_.find(key) != values_.end(); }

  /// The value of a key, as a bool, std::string, Integers, Floats or Strings; nullptr if the key is absent. Throws invalid_file,
  /// naming the key, for a value of another type.
  template <class T>
  const T* find(std::string_view key) const {
    const auto it = values_.find(key);
    if (it == values_.end()) return nullptr;
    if (const T* value = std::get_if<T>(&it->second)) return value;
    throw Error(ErrorCode::invalid_file, "the metadata has an unexpected type", std::string(key));
  }

  /// Like find(), but throws invalid_file if the key is absent.
  template <class T>
  const T& require(std::string_view key) const {
    if (const T* value = find<T>(key)) return *value;
    throw missing(key);
  }

  /// An integer within [0, 2^32); an integral float is not one. Throws invalid_file, naming the key, if it is
  /// absent (unless there is a fallback), of another type or out of range.
  std::uint32_t count(std::string_view key) const;
  std::uint32_t count(std::string_view key, std::uint32_t fallback) const;

  /// A number that is finite as a float; integers convert. Throws invalid_file as count does.
  float number(std::string_view key) const;
  float number(std::string_view key, float fallback) const;

  bool flag(std::string_view key, bool fallback) const;

  std::string text(std::string_view key) const { return require<std::string>(key); }
  std::string text(std::string_view key, std::string fallback) const;

  const std::map<std::string, Value, std::less<>>& values() const noexcept { return values_; }

 private:
  static Error missing(std::string_view key);

  std::map<std::string, Value, std::less<>> values_;
};

}  // namespace heed::formats

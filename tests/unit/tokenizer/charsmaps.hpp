// Charsmaps as SentencePiece compiles them, built by tests.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "formats/metadata.hpp"

namespace heed::test {

/// A double array over the keys, in which unit `base ^ byte` is a child, and `base` itself holds a value.
class CharsmapBuilder {
 public:
  explicit CharsmapBuilder(const std::map<std::string, std::string>& replacements) {
    units_.assign(kBlock, kUnused);
    units_[0] = 0;
    place(replacements, 0, 0);
  }

  /// For tokenizer.ggml.precompiled_charsmap. To make a damaged one, change `units()` or `texts()` first.
  formats::Metadata::Integers bytes() const {
    formats::Metadata::Integers all;
    append(all, static_cast<std::uint32_t>(4 * units_.size()));
    for (std::uint32_t unit : units_) append(all, unit);
    for (char c : texts_) all.push_back(static_cast<unsigned char>(c));
    return all;
  }

  /// All texts of `length` letters a and b, of which there are 2^length, become "x". As in the maps that SentencePiece writes, a
  /// common continuation is stored once: the units of a and b lead to the same base.
  static CharsmapBuilder shared(std::uint32_t length) {
    CharsmapBuilder builder({});
    builder.units_.assign(kBlock * (length + 1), kUnused);
    builder.units_[0] = 0;
    for (std::uint32_t at = 0; at < length; ++at) {
      for (const std::uint32_t letter : {std::uint32_t{'a'}, std::uint32_t{'b'}}) {
        const std::uint32_t unit = (at * kBlock) ^ letter, base = (at + 1) * kBlock;
        builder.units_[unit] = (unit ^ base) << 10 | (at + 1 == length ? 1U << 8 : 0) | letter;
      }
    }
    builder.units_[length * kBlock] = 1U << 31;
    builder.texts_ = std::string("x\0", 2);
    return builder;
  }

  std::vector<std::uint32_t>& units() { return units_; }
  std::string& texts() { return texts_; }

 private:
  static constexpr std::size_t kBlock = 256;
  static constexpr std::uint32_t kUnused = 1U << 31;

  static void append(formats::Metadata::Integers& all, std::uint32_t unit) {
    for (int shift = 0; shift < 32; shift += 8) all.push_back(unit >> shift & 0xFF);
  }

  /// Lays out the children of unit `at`, whose keys are those of `keys` and agree up to `depth`.
  void place(const std::map<std::string, std::string>& keys, std::size_t depth, std::uint32_t at) {
    std::map<unsigned char, std::map<std::string, std::string>> children;
    for (const auto& [key, text] : keys) {
      if (key.size() > depth) children[static_cast<unsigned char>(key[depth])][key] = text;
    }
    const auto end = std::find_if(keys.begin(), keys.end(), [&](const auto& key) { return key.first.size() == depth; });
    const auto fits = [&](std::uint32_t base) {
      if (bases_.contains(base)) return false;
      while ((base | (kBlock - 1)) >= units_.size()) units_.insert(units_.end(), kBlock, kUnused);
      if (end != keys.end() && units_[base] != kUnused) return false;
      return std::all_of(children.begin(), children.end(),
                         [&](const auto& child) { return units_[base ^ child.first] == kUnused; });
    };
    std::uint32_t base = 1;
    while (!fits(base)) ++base;
    bases_.insert(base);
    units_[at] |= (at ^ base) << 10;
    if (end != keys.end()) {
      units_[at] |= 1U << 8;
      units_[base] = static_cast<std::uint32_t>(texts_.size()) | 1U << 31;
      texts_ += end->second + '\0';
    }
    for (const auto& [byte, rest] : children) units_[base ^ byte] = byte;
    for (const auto& [byte, rest] : children) place(rest, depth + 1, base ^ byte);
  }

  std::vector<std::uint32_t> units_;
  std::set<std::uint32_t> bases_;
  std::string texts_;
};

}  // namespace heed::test

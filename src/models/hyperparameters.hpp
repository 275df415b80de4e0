// Metadata of one architecture: keys are looked up as "<general.architecture>.<key>".
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "formats/metadata.hpp"

namespace heed::models {

class Hyperparameters {
 public:
  explicit Hyperparameters(const formats::Metadata& metadata)
      : metadata_(&metadata), prefix_(metadata.text("general.architecture") + ".") {}

  // As in formats::Metadata, errors included.
  std::size_t count(std::string_view key) const { return metadata_->count(full(key)); }
  std::size_t count(std::string_view key, std::size_t fallback) const { return contains(key) ? count(key) : fallback; }
  float number(std::string_view key) const { return metadata_->number(full(key)); }
  float number(std::string_view key, float fallback) const { return metadata_->number(full(key), fallback); }
  bool flag(std::string_view key, bool fallback) const { return metadata_->flag(full(key), fallback); }
  std::string text(std::string_view key, std::string fallback) const { return metadata_->text(full(key), std::move(fallback)); }
  bool contains(std::string_view key) const { return metadata_->contains(full(key)); }
  /// Whether the key is there and has several values.
  bool lists(std::string_view key) const;
  /// One for each of `layers` layers: an array of so many, or one number for all. Throws invalid_file as count does.
  std::vector<std::size_t> counts(std::string_view key, std::size_t layers) const;
  /// The same for flags: an array, or one for all; `fallback` for all where the key is absent.
  std::vector<bool> flags(std::string_view key, std::size_t layers, bool fallback) const;

  /// For messages.
  std::string full(std::string_view key) const { return prefix_ + std::string(key); }

  const formats::Metadata& metadata() const noexcept { return *metadata_; }

 private:
  const formats::Metadata* metadata_;
  std::string prefix_;
};

}  // namespace heed::models

// The metadata of one architecture: keys have the prefix "<general.architecture>.".
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

  // Like the functions of formats::Metadata, including errors.
  std::size_t count(std::string_view key) const { return metadata_->count(full(key)); }
  std::size_t count(std::string_view key, std::size_t fallback) const { return contains(key) ? count(key) : fallback; }
  float number(std::string_view key) const { return metadata_->number(full(key)); }
  float number(std::string_view key, float fallback) const { return metadata_->number(full(key), fallback); }
  bool flag(std::string_view key, bool fallback) const { return metadata_->flag(full(key), fallback); }
  std::string text(std::string_view key, std::string fallback) const { return metadata_->text(full(key), std::move(fallback)); }
  bool contains(std::string_view key) const { return metadata_->contains(full(key)); }
  /// Whether the key exists and is an array.
  bool lists(std::string_view key) const;
  /// One value per layer: an array of `layers` numbers, or one number for all. Throws invalid_file as count() does.
  std::vector<std::size_t> counts(std::string_view key, std::size_t layers) const;
  /// As counts(), for flags; `fallback` for all layers if the key is absent.
  std::vector<bool> flags(std::string_view key, std::size_t layers, bool fallback) const;

  /// The whole key, for messages.
  std::string full(std::string_view key) const { return prefix_ + std::string(key); }

  const formats::Metadata& metadata() const noexcept { return *metadata_; }

 private:
  const formats::Metadata* metadata_;
  std::string prefix_;
};

}  // namespace heed::models

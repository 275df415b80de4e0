#include "models/hyperparameters.hpp"

#include <limits>

namespace heed::models {

bool Hyperparameters::lists(std::string_view key) const {
  const auto& values = metadata_->values();
  const auto entry = values.find(full(key));
  return entry != values.end() && std::holds_alternative<formats::Metadata::Integers>(entry->second);
}

std::vector<std::size_t> Hyperparameters::counts(std::string_view key, std::size_t layers) const {
  if (!lists(key)) return std::vector<std::size_t>(layers, count(key));
  const auto& integers = metadata_->require<formats::Metadata::Integers>(full(key));
  if (integers.size() != layers)
    throw Error(ErrorCode::invalid_file,
                "has " + std::to_string(integers.size()) + " entries for " + std::to_string(layers) + " layers", full(key));
  std::vector<std::size_t> counts;
  for (const std::int64_t n : integers) {
    if (n < 0 || n > std::numeric_limits<std::uint32_t>::max())
      throw Error(ErrorCode::invalid_file, "must hold integers from 0 to 2^32 - 1", full(key));
    counts.push_back(static_cast<std::size_t>(n));
  }
  return counts;
}

std::vector<bool> Hyperparameters::flags(std::string_view key, std::size_t layers, bool fallback) const {
  const auto& values = metadata_->values();
  const auto entry = values.find(full(key));
  if (entry == values.end() || std::holds_alternative<bool>(entry->second)) return std::vector<bool>(layers, flag(key, fallback));
  const std::vector<std::size_t> numbers = counts(key, layers);  // arrays of booleans are stored as integers
  return {numbers.begin(), numbers.end()};
}

}  // namespace heed::models

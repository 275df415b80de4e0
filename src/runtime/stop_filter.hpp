// Ends a text before the first stop string, even if several tokens form it.
#pragma once

#include <string>
#include <vector>

namespace heed::runtime {

/// Holds back the end of the text as long as it could be the beginning of a stop string.
class StopFilter {
 public:
  /// Throws invalid_argument for an empty string.
  explicit StopFilter(std::vector<std::string> stops);

  /// Appends text; returns the part of the held text that cannot belong to a stop string, or that precedes the first one.
  std::string push(const std::string& text);

  bool found() const noexcept { return found_; }
  bool holds() const noexcept { return !held_.empty(); }
  /// At the end of the text: returns the held text.
  std::string flush();

 private:
  std::size_t partial_match(const std::string& stop) const;

  std::vector<std::string> stops_;
  std::string held_;
  bool found_ = false;
};

}  // namespace heed::runtime

// Ends a text before the first of some strings, however tokens cut them.
#pragma once

#include <string>
#include <vector>

namespace heed::runtime {

/// Holds back the end of a text while it may still become a stop string.
class StopFilter {
 public:
  /// Throws invalid_argument for an empty string.
  explicit StopFilter(std::vector<std::string> stops);

  /// Takes more text; returns what can no longer be part of a stop string.
  std::string push(const std::string& text);

  bool found() const noexcept { return found_; }
  bool holds() const noexcept { return !held_.empty(); }
  std::string take_rest();

 private:
  std::size_t begun(const std::string& stop) const;

  std::vector<std::string> stops_;
  std::string held_;
  bool found_ = false;
};

}  // namespace heed::runtime
